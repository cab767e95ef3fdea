/**
 * The origin `scheme://host:port` as browsers write it: in lower case, without the default port.
 * Undefined if the text is not of that form.
 */
export function canonicalOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  // The parser has no origin for the schemes of apps: the text itself is compared.
  return origin === 'null' ? text.toLowerCase() : origin;
}
