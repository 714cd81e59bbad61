/** Prints path and offset of every column chunk of a Parquet file. */
import { parquetMetadata } from "hyparquet";

for (const { columns } of parquetMetadata(Deno.readFileSync(Deno.args[0]).buffer).row_groups) {
  for (const { meta_data } of columns) {
    console.log(meta_data?.path_in_schema.join(), Number(meta_data?.data_page_offset));
  }
}
