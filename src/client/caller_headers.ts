/** Header fields that a caller adds to requests: checked, kept to one origin, and hidden wherever text is shown. */

/** Header fields that belong to the protocol; a caller's are never sent in their place. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "if-range",
  "keep-alive",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Shortest value that is looked for in text: a shorter one would hide words by chance. */
const MIN_HIDDEN = 6;

/** Whether a header field belongs to the protocol, and not to a caller. */
export function isOwnField(name: string): boolean {
  return OWN_FIELDS.has(name.trim().toLowerCase());
}

/**
 * Checks a caller's header fields. No message ever holds a value: it may be a credential.
 *
 * @returns The fields by their lower-case names.
 * @throws {TypeError} If a name or a value could not be sent.
 */
export function checkHeaders(headers: unknown = {}): Record<string, string> {
  const checked: Record<string, string> = {};
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) {
    throw new TypeError("Cannot use these headers: expected an object of values by name");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new TypeError(
        `Cannot send the header field ${JSON.stringify(name.slice(0, 60))}: expected a name such as Authorization`,
      );
    }
    if (typeof value !== "string") {
      throw new TypeError(`Cannot send the header field ${name}: expected a text as its value, not ${typeof value}`);
    }
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new TypeError(
        `Cannot send the header field ${name}: its value has a line break, a control character or one beyond Latin-1`,
      );
    }
    checked[name.toLowerCase()] = value.trim();
  }
  return checked;
}

/** Hides the values of header fields in a text that may show them, such as an error that echoes the request. */
export function hideValues(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.entries(headers)
    .filter(([name]) => name !== "user-agent")
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= MIN_HIDDEN)
    .sort((a, b) => b.length - a.length);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[hidden]"), text);
}
