/** Prints path and offset of every column chunk of a Parquet file. */
import { FileMetaData } from "../../src/core/parquet/metadata.ts";
import { ThriftReader } from "../../src/core/parquet/thrift.ts";

const bytes = Deno.readFileSync(Deno.args[0]);
const length = new DataView(bytes.buffer, bytes.length - 8).getUint32(0, true);
const footer = new ThriftReader(bytes.subarray(bytes.length - 8 - length)).read(FileMetaData);
for (const { columns = [] } of footer.row_groups ?? []) {
  for (const { meta_data } of columns) console.log(meta_data?.path_in_schema?.join(), meta_data?.data_page_offset);
}
