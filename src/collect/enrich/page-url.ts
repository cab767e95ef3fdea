import { createLruCache } from '../../lib/values/lru-cache.ts';
import { copyText } from '../../lib/values/text-copy.ts';

/** What is kept of a URL: no user name, query or fragment. */
export interface UrlParts {
  /** In lower case, punycode, with the port if it is not the usual one; empty if not known. */
  readonly host: string;
  /** Host and path; empty if the host is. */
  readonly page: string;
  /** Of a URL that led to a page: its host, or the app whose link it was. */
  readonly referrer: string;
}

export type UrlReader = (url: string | undefined) => UrlParts;

const unknownUrl: UrlParts = Object.freeze({ host: '', page: '', referrer: '' });
/** A name of DNS and a port. */
const hostLimitChars = 260;
const pageLimitChars = 512;
/** Of a URL without query and fragment, so much is read: strangers send them of any length. */
const readLimitChars = 4_096;
/**
 * Only the path may be cut: of an authority that is not whole, the user name would pass for a host.
 * No white space, as the parser leaves out tabs and ends of lines.
 */
const wholeAuthority = /^[a-z][a-z\d+.-]*:\/\/[^\s/\\]+[/\\]/i;
const rememberedLimitEntries = 4096;
/** A part of a text keeps the whole alive: so much of a stranger's may stay for each entry. */
const rememberedLimitChars = 1_024;

/** The most recent answers are remembered: players of one page send the same URL. */
export function createUrlReader(): UrlReader {
  const remembered = createLruCache<string, UrlParts>(rememberedLimitEntries);
  return (url) => {
    if (!url) return unknownUrl;
    // Query and fragment, which may differ in every view, end host and path wherever they stand.
    const end = url.search(/[?#]/);
    const text = bounded(end < 0 ? url : url.slice(0, end));
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const read = Object.freeze(readUrl(text));
    if (url.length <= rememberedLimitChars) remembered.set(text, read);
    return read;
  };
}

/** Empty if too long to be cut. */
function bounded(text: string): string {
  if (text.length <= readLimitChars) return text;
  const beginning = text.slice(0, readLimitChars);
  return wholeAuthority.test(beginning) ? beginning : '';
}

function readUrl(text: string): UrlParts {
  const url = URL.parse(text);
  if (url === null) return unknownUrl;
  const { protocol, pathname } = url;
  if (url.host.length > hostLimitChars) return unknownUrl;
  // Copies: what is kept of them for long would else keep all of the URL.
  const host = copyText(url.host);
  if (protocol === 'https:' || protocol === 'http:') {
    return { host, page: copyText(cut(host + decodeUnreserved(pathname))), referrer: host };
  }
  // As Chrome writes the app whose link led to a page.
  const isApp = protocol === 'android-app:' && /^[a-z][\w.]{0,252}$/i.test(host);
  return isApp ? { ...unknownUrl, referrer: host.toLowerCase() } : unknownUrl;
}

/** One writing of a path that has several: `%ed` and `%ED`, `%5f` and `_` (RFC 3986, 6.2.2). */
function decodeUnreserved(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

/** How many bytes follow one that begins with this digit in UTF-8. */
const bytesAfter: Readonly<Record<string, number>> = { C: 1, D: 1, E: 2, F: 3 };

/** Not within a character that is written as `%C3%A9`. */
function cut(page: string): string {
  if (page.length <= pageLimitChars) return page;
  const whole = page.slice(0, pageLimitChars).replace(/%.?$/, '');
  const character = /%([C-F])[\dA-F]((?:%[89AB][\dA-F]){0,3})$/i.exec(whole);
  if (character === null) return whole;
  const [last, lead = '', further = ''] = character;
  const missing = (bytesAfter[lead.toUpperCase()] ?? 0) - further.length / 3;
  return missing > 0 ? whole.slice(0, -last.length) : whole;
}
