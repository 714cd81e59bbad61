/** Pages of the built site as text: titles, anchors, links. */
import { posix } from "node:path";
import { listFiles } from "../../../tools/packages/toolkit/source_files.ts";

export interface SitePage {
  /** Path below the site, such as `cookbook/find.html`. */
  readonly path: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
  /** Addresses of links, pictures, scripts and styles, as they are written. */
  readonly links: readonly string[];
}

/** Entities that renderers write into attributes. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Reads every page. */
export async function readPages(site: string): Promise<SitePage[]> {
  const paths = (await listFiles(site, "")).filter((path) => path.endsWith(".html"));
  return await Promise.all(paths.map(async (path) => {
    const html = await Deno.readTextFile(`${site}/${path}`);
    const body = html.replaceAll(
      /<script\b[^>]*>[\s\S]*?<\/script>/g,
      (script) => script.slice(0, script.indexOf(">") + 1),
    );
    const ids = new Set(Array.from(body.matchAll(/\sid="([^"]*)"/g), ([, id]) => withoutEntities(id)));
    const links = Array.from(body.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, link]) => withoutEntities(link));
    return { path, html, ids, links };
  }));
}

/** Links that lead nowhere: `PAGE: LINK` for each. Addresses of other hosts are not asked. */
export async function brokenLinks(site: string, pages: readonly SitePage[]): Promise<string[]> {
  const files = new Set(await listFiles(site, ""));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const broken: string[] = [];
  for (const { path, links } of pages) {
    for (const link of new Set(links)) {
      if (/^(https?:|data:|mailto:)/.test(link)) continue;
      const [address, anchor] = link.split("#");
      const [target] = address.split("?");
      const found = target === ""
        ? path
        : posix.join("/", target.startsWith("/") ? target : posix.join(posix.dirname(path), target)).slice(1);
      const file = found === "" || found.endsWith("/") ? `${found}index.html` : found;
      const page = byPath.get(file) ?? byPath.get(`${file}.html`);
      const isThere = files.has(file) || page !== undefined;
      const hasAnchor = anchor === undefined || anchor === "" || page?.ids.has(decodeURIComponent(anchor));
      if (!isThere || !hasAnchor) broken.push(`${path}: ${link}`);
    }
  }
  return broken;
}

/** What a page lacks that every page has, in words. */
export function lacks({ html }: SitePage): string[] {
  const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
  const has: Readonly<Record<string, boolean>> = {
    "one title": count(/<h1[ >]/g) === 1,
    "one main part": count(/<main[ >]/g) === 1,
    "navigation": count(/<nav[ >]/g) > 0,
    "its language": html.includes('<html lang="en"'),
    "a way past the navigation": /<a href="#VPContent"[^>]*>Skip to content</.test(html) &&
      html.includes('id="VPContent"'),
  };
  return Object.keys(has).filter((name) => !has[name]);
}

function withoutEntities(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
