/** The access key that `playmeter video import` gives the same file: it is not added twice. */

const pieces = 16;
const pieceBytes = 262_144;
const keyBytes = 16;

/** Undefined if the browser has no digests: on a page that came over plain HTTP. */
export async function filmKey(accountId: number, film: Blob): Promise<string | undefined> {
  if (globalThis.crypto.subtle === undefined) return undefined;
  const parts: (string | ArrayBuffer)[] = [`${accountId}`, '\0file', `\0${film.size}`];
  const step = Math.max(pieceBytes, Math.floor((film.size - pieceBytes) / (pieces - 1)));
  for (let at = 0, read = 0; at < film.size && read < pieces; at += step, read += 1) {
    parts.push('\0', await film.slice(at, at + pieceBytes).arrayBuffer());
  }
  const all = await new Blob(parts).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all), 0, keyBytes);
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
