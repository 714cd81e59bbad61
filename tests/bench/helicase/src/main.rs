//! Name, length and share of G and C of every record of a FASTA, as one writes it with helicase.
use helicase::input::*;
use helicase::*;
use std::io::Write;

/// Bases as two bits each, in columns: of A, C, G and T the low bit is set for G and C.
const CONFIG: Config = ParserOptions::default().dna_columnar().keep_non_actg().config();

fn main() {
    let path = std::env::args().nth(1).expect("expected the path of a FASTA");
    let mut parser = FastxParser::<CONFIG>::from_file_mmap(&path).expect("expected a FASTA");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    while let Some(event) = parser.next() {
        event.expect("expected a record");
        let bases = parser.get_dna_columnar();
        let (whole, rest) = bases.low_bits();
        let gc: u32 = whole.iter().map(|bits| bits.count_ones()).sum::<u32>() + rest.count_ones();
        let id = parser.get_header().split(|byte| *byte == b' ').next().unwrap();
        out.write_all(id).unwrap();
        let share = if bases.len() == 0 { 0.0 } else { 100.0 * gc as f64 / bases.len() as f64 };
        writeln!(out, "\t{}\t{:.2}", bases.len(), share).unwrap();
    }
}
