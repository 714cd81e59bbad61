//! Name, length and share of G and C of every record of a FASTA, as one writes it with needletail.
use std::io::Write;

fn main() {
    let path = std::env::args().nth(1).expect("expected the path of a FASTA");
    let mut reader = needletail::parse_fastx_file(path).expect("expected a FASTA");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    while let Some(record) = reader.next() {
        let record = record.expect("expected a record");
        let sequence = record.seq();
        let gc = sequence.iter().filter(|letter| matches!(**letter & 0xDF, b'G' | b'C')).count();
        let id = record.id().split(|byte| *byte == b' ').next().unwrap();
        out.write_all(id).unwrap();
        let share = if sequence.is_empty() { 0.0 } else { 100.0 * gc as f64 / sequence.len() as f64 };
        writeln!(out, "\t{}\t{:.2}", sequence.len(), share).unwrap();
    }
}
