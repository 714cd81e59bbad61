/** Sizes of the site's pictures, as their own files say. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PUBLIC = fileURLToPath(new URL("../pages/public", import.meta.url));

/**
 * Width and height of an SVG or a PNG, in pixels.
 *
 * @param address Address as the page writes it; from the site's base if it begins with a slash.
 * @param page File of the page.
 */
export function pictureSize(address, page) {
  const path = decodeURI(address.startsWith("/") ? join(PUBLIC, address) : join(dirname(page), address));
  const bytes = readFileSync(path);
  // PNG: the first chunk holds both as big-endian integers.
  if (path.endsWith(".png")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [head] = bytes.toString("utf8").match(/<svg[^>]*>/) ?? [""];
  const [width, height] = ["width", "height"].map((name) => head.match(new RegExp(`\\s${name}="([0-9.]+)"`))?.[1]);
  return width !== undefined && height !== undefined ? { width, height } : {};
}
