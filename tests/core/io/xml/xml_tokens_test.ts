/** XML in pieces: what it says, whatever the cuts, and what is no XML. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { ParseError } from "../../../../src/core/errors.ts";
import { XmlTokens } from "../../../../src/core/io/xml/xml_tokens.ts";

/** What a document says, as one text: `<a b=c>text</a>`, references replaced. */
function read(pieces: readonly string[]): string {
  let seen = "";
  const tokens = new XmlTokens({
    onOpen: ({ written }, attributes) =>
      seen += `<${written}${[...attributes].map(([key, value]) => ` ${key}=${value}`).join("")}>`,
    onText: (text) => seen += text,
    onClose: ({ written }) => seen += `</${written}>`,
  }, "a.xml");
  for (const piece of pieces) tokens.push(piece);
  tokens.end();
  return seen;
}

const FORMS: Readonly<Record<string, readonly [xml: string, says: string]>> = {
  "elements and texts": ["<a>x<b>y</b> z</a>", "<a>x<b>y</b> z</a>"],
  "empty elements": ["<a><b/><c /><d></d></a>", "<a><b></b><c></c><d></d></a>"],
  "attributes": [`<a b="1" c = 'x > "y"'>z</a>`, `<a b=1 c=x > "y">z</a>`],
  "references": ["<a b='&lt;&#65;'>&amp;&gt;&quot;&apos;&#x1F9A0;&amp;lt;</a>", "<a b=<A>&>\"'🦠&lt;</a>"],
  "CDATA": ["<a><![CDATA[<b> & ]] > &amp;]]>x<![CDATA[]]></a>", "<a><b> & ]] > &amp;x</a>"],
  "comments and instructions": ["<?xml version='1.0'?><!-- <x> --><a><?p >?><!----->y</a><!-- end -->", "<a>y</a>"],
  "line ends of every kind": ["<a>1\r\n2\r3\n4\r</a>\r\n", "<a>1\n2\n3\n4\n</a>"],
  "line ends by reference": ["<a>&#13;&#10;</a>", "<a>\r\n</a>"],
  "names of any letters": ["<é:b_1-2.3/>", "<é:b_1-2.3></é:b_1-2.3>"],
  "white space in tags": ["<a\n b='1'\t>x</a\n>", "<a b=1>x</a>"],
};

Deno.test("XmlTokens gives elements, attributes and texts, wherever the pieces are cut", async (t) => {
  for (const [form, [xml, says]] of Object.entries(FORMS)) {
    await t.step(form, () => {
      assertEquals(read([xml]), says);
      assertEquals(read([...xml]), says);
      for (let cut = 0; cut <= xml.length; cut++) {
        assertEquals(read([xml.slice(0, cut), xml.slice(cut)]), says, `${cut}`);
      }
    });
  }
});

/** Elements and attributes by their namespaces; an asterisk marks elements of the root's namespace. */
function readNames(xml: string): string {
  const seen: string[] = [];
  const tokens = new XmlTokens({
    onOpen({ namespace, local, own }, attributes) {
      if (own !== "") assertEquals(own, local);
      seen.push([`${own === "" ? "" : "*"}{${namespace}}${local}`, ...attributes.keys()].join(" "));
    },
    onText() {},
    onClose() {},
  });
  tokens.push(xml);
  tokens.end();
  return seen.join(", ");
}

Deno.test("XmlTokens gives names as pairs of namespace and local name", async (t) => {
  const cases: Readonly<Record<string, readonly [xml: string, says: string]>> = {
    "without namespaces": ["<a><b c='1'/></a>", "*{}a, *{}b c"],
    "a default namespace": ["<a xmlns='u'><b c=''/></a>", "*{u}a, *{u}b c"],
    "another prefix for one namespace": ["<a xmlns='u' xmlns:p='u'><p:b p:c=''/></a>", "*{u}a, *{u}b {u}c"],
    "two namespaces": ["<a xmlns='u' xmlns:x='v'><x:b/><b/></a>", "*{u}a, {v}b, *{u}b"],
    "a default that changes within": ["<a xmlns='u'><b xmlns='v'><c/></b><c/></a>", "*{u}a, {v}b, {v}c, *{u}c"],
    "an empty element that declares": ["<a xmlns='u'><b xmlns='v'/><b/></a>", "*{u}a, {v}b, *{u}b"],
    "a default that ends": ["<a xmlns='u'><b xmlns=''><c/></b></a>", "*{u}a, {}b, {}c"],
    "the same tag in two scopes": [
      "<a><b xmlns:x='u'><x:c x:d=''/></b><b xmlns:x='v'><x:c x:d=''/></b></a>",
      "*{}a, *{}b, {u}c {u}d, *{}b, {v}c {v}d",
    ],
    "the same declaration twice": [
      "<a><b xmlns='u'><c/></b><c/><b xmlns='u'><c/></b></a>",
      "*{}a, {u}b, {u}c, *{}c, {u}b, {u}c",
    ],
    "a prefix that is declared below": ["<p:a xmlns:p='u'><p:b xmlns:p='v'/><p:b/></p:a>", "*{u}a, {v}b, *{u}b"],
    "a prefix that is not declared": ["<p:a><p:b q:c=''/></p:a>", "*{p}a, *{p}b {q}c"],
    "a name that begins with a colon": ["<:a xmlns='u' :b=''/>", "*{u}:a :b"],
    "the prefix of XML": ["<a xml:lang='en'/>", "*{}a {http://www.w3.org/XML/1998/namespace}lang"],
  };
  for (const [what, [xml, says]] of Object.entries(cases)) await t.step(what, () => assertEquals(readNames(xml), says));
});

Deno.test("XmlTokens refuses what is not well-formed, with the line, wherever the pieces are cut", async (t) => {
  const faults: Readonly<Record<string, readonly [xml: string, says: string, line: number]>> = {
    "nothing": ["", "no element", 1],
    "a comment alone": ["<!-- a -->\n", "no element", 2],
    "an element that stays open": ["<a>\n<b></b>", "<a> is open", 2],
    "elements that do not nest": ["<a>\n\n<b></a></b>", "</a> ends <b>", 3],
    "an end without a begin": ["<a/></a>", "</a> ends nothing", 1],
    "two roots": ["<a/>\n<b/>", "a second root", 2],
    "text before the root": ["x<a/>", "outside its root", 1],
    "text after the root": ["<a/>\n x", "outside its root", 1],
    "half a tag": ["<a>\n<b", "middle of a tag", 2],
    "half a comment": ["<a><!-- ", "middle of a tag", 1],
    "half a CDATA section": ["<a><![CDATA[x]]", "middle of a tag", 1],
    "a bare ampersand": ["<a>\nR & D</a>", "no reference", 1],
    "an unknown reference": ["<a>&nbsp;</a>", "no reference", 1],
    "a reference to no letter": ["<a>&#xD800;</a>", "no reference", 1],
    "a reference beyond all letters": ["<a>&#x110000;</a>", "no reference", 1],
    "a property of every object": ["<a>&constructor;</a>", "no reference", 1],
    "an attribute without quotes": ["<a b=1/>", "no tag", 1],
    "an attribute twice": ["<a b='1' b='2'/>", "twice", 1],
    "an attribute twice by its namespace": ["<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "{u}b twice", 1],
    "attributes without a blank between": ["<a b='1'c='2'/>", "no tag", 1],
    "a tag without a name": ["<a>< b></a>", "no tag", 1],
    "a number as a name": ["<1/>", "no tag", 1],
    "a DOCTYPE": ['<!DOCTYPE r [<!ENTITY a "aaaa">]><r>&a;</r>', "DOCTYPE", 1],
    "a declaration of another kind": ["<a><!ELEMENT b></a>", "no tag", 1],
    "elements without end": ["<a>".repeat(1001), "within each other", 1],
    "a tag without end": [`<a b="${"x".repeat(1 << 20)}`, "does not end within 1048576 characters", 1],
  };
  for (const [fault, [xml, says, line]] of Object.entries(faults)) {
    await t.step(fault, () => {
      const error = assertThrows(() => read([xml]), ParseError, "Cannot read a.xml: ");
      assert(error.message.includes(says), error.message);
      assertEquals(error.line, line, error.message);
      if (xml.length < 100) assertThrows(() => read([...xml]), ParseError, says);
    });
  }
});

Deno.test("XmlTokens agrees with another parser on any document", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "é", "&amp;", "&#65;", "<![CDATA[<&]]>", "<!-- - -->"),
  });
  const name = fc.constantFrom("a", "b", "c.d", "e-f");
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.tuple(
        name,
        fc.option(fc.constantFrom("", "v", "v w", "&amp;&#65;&lt;")),
        fc.array(tie("tree"), { maxLength: 4 }),
      ).map(([name, value, inner]) => `<${name}${value === null ? "" : ` x="${value}"`}>${inner.join("")}</${name}>`),
    ),
  }));
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
  });
  const saysOther = (nodes: unknown): string =>
    !Array.isArray(nodes) ? "" : nodes.map((node) => {
      if ("#text" in node) return node["#text"];
      const name = Object.keys(node).find((key) => key !== ":@")!;
      const attribute = node[":@"]?.["@x"];
      return `<${name}${attribute === undefined ? "" : ` x=${attribute}`}>${saysOther(node[name])}</${name}>`;
    }).join("");
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), fc.array(fc.nat(200), { maxLength: 6 }), (inner, cuts) => {
      const xml = `<?xml version="1.0"?><r>${inner.join("")}</r>`;
      fc.pre(XMLValidator.validate(xml) === true);
      const at = [0, ...cuts.filter((cut) => cut < xml.length).sort((a, b) => a - b), xml.length];
      const pieces = at.slice(1).map((end, index) => xml.slice(at[index], end));
      assertEquals(read(pieces), saysOther(parser.parse(xml).slice(1)));
    }),
    { numRuns: 300 },
  );
});
