/** Links between files of the checkout become links between pages of the site. */
import { assertEquals } from "@std/assert";
import { rewriteLinks } from "../../tools/site/_copied_pages.ts";

Deno.test("links to other files lead to their pages; those to files of the site and to other hosts stay", () => {
  const links: Readonly<Record<string, string>> = {
    "[a](../notebooks/01_first_contact.ipynb)": "[a](./lessons/01_first_contact.md)",
    "[a](../README.md#install)": "[a](./index.md#install)",
    "[a](../src/README.md)": "[a](./project/rooms.md)",
    "[a](cookbook/index.md)": "[a](./cookbook/index.md)",
    "![a](../notebooks/first_contact.png)": "![a](./first_contact.png)",
    "[a](/lessons/01_first_contact.ipynb)": "[a](/lessons/01_first_contact.ipynb)",
    "[a](https://pola.rs)": "[a](https://pola.rs)",
    "[a](#here)": "[a](#here)",
  };
  for (const [link, expected] of Object.entries(links)) assertEquals(rewriteLinks(link, "docs/x.md", "x.md"), expected);
});
