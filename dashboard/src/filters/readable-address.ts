/**
 * Hosts and paths as people write them. They are kept as browsers send them: a host in Punycode, a
 * path percent-encoded. What could be taken for something else stays as it is.
 */
import punycode from 'punycode/punycode.js';

const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Sinhala', 'Tamil'],
  ...['Telugu', 'Thai'],
];
const eastAsian = ['Bopomofo', 'Han', 'Hangul', 'Hiragana', 'Katakana', 'Latin'];
const ofScripts = (names: readonly string[]) =>
  new RegExp(`^[${names.map((name) => `\\p{sc=${name}}`).join('')}\\p{M}]+$`, 'u');
/** East Asian texts have Latin words within; others with letters of two scripts are disguises. */
const plainWords = [ofScripts(eastAsian), ...scripts.map((name) => ofScripts([name]))];
/** A host of these alone looks as if it were Latin. */
const likeLatin = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνορτυω]+$/u;
const fromTheRight = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;

/** A page: its host and path. */
export function readablePage(page: string): string {
  const at = page.indexOf('/');
  if (at < 0) return readableHost(page);
  return readableHost(page.slice(0, at)) + page.slice(at).split('/').map(readablePart).join('/');
}

export function readableHost(host: string): string {
  return host.split('.').map(readableLabel).join('.');
}

function readableLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const text = decodePunycode(label.slice('xn--'.length));
  const isOther = text === undefined || !isPlain(text) || likeLatin.test(lettersOf(text));
  return isOther ? label : isolated(text);
}

/** A part that cannot be decoded whole stays whole. */
function readablePart(part: string): string {
  if (!part.includes('%')) return part;
  try {
    const text = decodeURIComponent(part);
    // What has a meaning of its own in a URL, or is not seen, is told from letters by its code.
    const isSafe = !/[\p{C}\p{Z}/?#%\\]/u.test(text);
    return isSafe && isPlain(text) ? isolated(text) : part;
  } catch {
    return part;
  }
}

function isPlain(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.every((word) => plainWords.some((plain) => plain.test(word)));
}

function lettersOf(text: string): string {
  return text.replace(/[\d-]/g, '');
}

/** Parts from the right keep their place between the others. */
function isolated(text: string): string {
  return fromTheRight.test(text) ? `\u2068${text}\u2069` : text;
}

/** The other way round: a part of a page, as it is kept, to be searched for. */
export function keptPage(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));
}

export function keptHost(text: string): string {
  return URL.parse(`http://${text}`)?.hostname ?? text;
}

/** Undefined for what is no such text. */
function decodePunycode(text: string): string | undefined {
  try {
    return punycode.decode(text);
  } catch {
    return undefined;
  }
}
