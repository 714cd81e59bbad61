/** VitePress's configuration; what depends on the pages is in `site.json`, which the build writes. */
import { readFileSync } from "node:fs";
import { pictureSize } from "./picture_size.mjs";

const { base, to, sidebar, nav, version, excluded } = JSON.parse(
  readFileSync(new URL("../site.json", import.meta.url), "utf8"),
);

export default {
  title: "seqreg",
  description: "Complete or explained access to a Sequence Registry of viral genome records",
  lang: "en",
  base,
  srcDir: "./pages",
  outDir: `./${to}`,
  cacheDir: "./cache",
  // Every page is a file, whatever the host does with addresses.
  cleanUrls: false,
  srcExclude: ["public/**", ...excluded],
  ignoreDeadLinks: excluded.length > 0,
  // What all pages share is a file of its own.
  metaChunk: true,
  // Thirty laptops in a room fetch what they show, not every page that is linked.
  router: { prefetchLinks: false },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  vite: { build: { chunkSizeWarningLimit: 20_000 } },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      const { table_open: open, table_close: close } = markdown.renderer.rules;
      const { image } = markdown.renderer.rules;
      // A picture keeps its place while it loads.
      markdown.renderer.rules.image = (tokens, index, options, env, self) => {
        const size = pictureSize(tokens[index].attrGet("src"), env.path);
        for (const [name, value] of Object.entries(size)) tokens[index].attrSet(name, String(value));
        return image(tokens, index, options, env, self);
      };
      const plain = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);
      // A wide table is scrolled by the keyboard too.
      markdown.renderer.rules.table_open = (...all) => `<div class="scroll" tabindex="0">${(open ?? plain)(...all)}`;
      markdown.renderer.rules.table_close = (...all) => `${(close ?? plain)(...all)}</div>`;
    },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    footer: { message: `seqreg ${version}, MIT license. Built from its sources; no page needs a network.` },
  },
};
