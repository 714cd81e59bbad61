/** XML: elements, attributes and texts against expat. */
import { ParseError } from "../../../src/core/errors.ts";
import { XmlTokens } from "../../../src/core/io/xml/xml_tokens.ts";
import { difference, type Draw, type FuzzRoom, inChunks, mutate, type Outcome, outcomeOf, pick } from "./_room.ts";
import { startOracle } from "./_python.ts";

const encoder = new TextEncoder();
const NAMES = ["record", "a", "Host", "x-y", "_n", "é"];
const TEXTS = [
  "",
  "Kenya",
  "a &amp; b",
  "&#65;&#x1F600;",
  "<![CDATA[<x> & ]]>",
  "<!-- no -->",
  "<?pi x?>",
  " ",
  "\n",
  "]]&gt;",
];
const WORDS = [
  "<",
  ">",
  "/>",
  "</a>",
  "&",
  "&amp;",
  "&#0;",
  "]]>",
  "<![CDATA[",
  "<!--",
  "-->",
  '"',
  "<!DOCTYPE a>",
  "--",
];

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

type Seen = unknown[][];

export default function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  const element = (draw: Draw, depth: number): string => {
    const name = pick(draw, NAMES);
    const attributes = draw(3) === 0 ? ` k="${pick(draw, ["", "v", "&lt;", "'"])}"` : "";
    if (draw(6) === 0) return `<${name}${attributes}/>`;
    const children = Array.from(
      { length: draw(4) },
      () => depth < 5 && draw(2) === 0 ? element(draw, depth + 1) : pick(draw, TEXTS),
    );
    return `<${name}${attributes}>${children.join("")}</${name}>`;
  };
  return Promise.resolve({
    make(draw) {
      const bytes = encoder.encode(
        (draw(3) === 0 ? DECLARATION : "") + element(draw, 0),
      );
      return draw(2) === 0 ? bytes : mutate(draw, bytes.slice(0, 100_000), WORDS);
    },
    run: (input) =>
      outcomeOf(async (): Promise<Seen> => {
        const seen: Seen = [];
        const tokens = new XmlTokens({
          onOpen: ({ written }, attributes) => void seen.push(["open", written, [...attributes].sort()]),
          onClose: ({ written }) => void seen.push(["close", written]),
          onText(text) {
            const last = seen.at(-1);
            if (last?.[0] === "text") last[1] = `${last[1]}${text}`;
            else if (text !== "") seen.push(["text", text]);
          },
        });
        const decoder = new TextDecoder("utf-8", { fatal: true });
        for await (const chunk of inChunks(input)) tokens.push(decoder.decode(chunk, { stream: true }));
        tokens.push(decoder.decode());
        tokens.end();
        return seen;
      }),
    async judge(input, result) {
      const ours = result as Outcome<Seen>;
      const isRefusal = "error" in ours && (ours.error instanceof ParseError || ours.error instanceof TypeError);
      if ("error" in ours && !isRefusal) return `threw ${ours.error.stack}`;
      const text = new TextDecoder().decode(input);
      // What a document type or declaration means, and how a carriage return is read, are rules of our own.
      if (/<!(?!--|\[CDATA\[)|\r|[\t\n]["']|="[^"]*[\t\n]/.test(text)) return undefined;
      if (/<\?xml/i.test(text.startsWith(DECLARATION) ? text.slice(DECLARATION.length) : text)) return undefined;
      const theirs = await oracle.read("xml", input);
      if ("value" in theirs) {
        return "error" in ours ? `refused: ${ours.error.message}` : difference(ours.value, theirs.value);
      }
      // Characters and names are not judged here: a record with an odd one is better read than lost. Structure is.
      const isBroken = /mismatched tag|no element found|unclosed|junk after|duplicate attribute/.test(theirs.error);
      return isBroken && "value" in ours ? `accepted what expat refuses: ${theirs.error}` : undefined;
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  });
}
