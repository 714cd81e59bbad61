//! What `qsv diff` does: two CSV compared by their first column, the rows that differ written in the order of lines.
use csv_diff::{csv::Csv, csv_diff::CsvByteDiffBuilder, diff_row::DiffByteRecord};
use std::{env::args, error::Error, fs::File, io::BufWriter};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = args().skip(1).collect();
    let compare = CsvByteDiffBuilder::new().primary_key_columns([0usize]).build()?;
    let differences =
        compare.diff(Csv::with_reader(File::open(&paths[0])?), Csv::with_reader(File::open(&paths[1])?));
    let mut records = differences.try_to_diff_byte_records()?;
    records.sort_by_line();
    let mut writer = csv::Writer::from_writer(BufWriter::new(File::create(&paths[2])?));
    let (mut added, mut removed, mut changed) = (0, 0, 0);
    for record in records.iter() {
        match record {
            DiffByteRecord::Add(now) => {
                added += 1;
                writer.write_byte_record(now.byte_record())?;
            }
            DiffByteRecord::Delete(old) => {
                removed += 1;
                writer.write_byte_record(old.byte_record())?;
            }
            DiffByteRecord::Modify { delete, add, .. } => {
                changed += 1;
                writer.write_byte_record(delete.byte_record())?;
                writer.write_byte_record(add.byte_record())?;
            }
        }
    }
    writer.flush()?;
    println!("{{\"added\":{added},\"removed\":{removed},\"changed\":{changed}}}");
    Ok(())
}
