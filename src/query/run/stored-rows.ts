/**
 * The rows of a snapshot as they are kept: compressed a portion at a time, so that neither keeping
 * nor reading a page of them holds everything else up. Everything in an answer besides its rows
 * comes first.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** A third of the time of the usual level, for a tenth more bytes. */
const level = 1;
const rowsOfPortion = 1_000;
const headBytes = 4;

interface Head<About> {
  readonly about: About;
  /** Of each portion. */
  readonly bytes: readonly number[];
}

export async function keepRows<About>(about: About, rows: readonly object[]): Promise<Uint8Array> {
  // Threads compress them while the next is written, and whoever waits has a turn between.
  const compressing: Promise<Buffer>[] = [];
  for (let start = 0; start < rows.length; start += rowsOfPortion) {
    const text = JSON.stringify(rows.slice(start, start + rowsOfPortion));
    compressing.push(compress(text, { level }));
    await nextTurn();
  }
  const portions = await Promise.all(compressing);
  const head: Head<About> = { about, bytes: portions.map(({ byteLength }) => byteLength) };
  const text = Buffer.from(JSON.stringify(head));
  const size = Buffer.alloc(headBytes);
  size.writeUInt32BE(text.byteLength);
  return Buffer.concat([size, text, ...portions]);
}

/** The rows from `start` up to, not including, `end`; undefined if an earlier release kept them. */
export async function readKeptRows<About, Row>(
  kept: Uint8Array,
  start: number,
  end: number,
): Promise<{ readonly about: About; readonly rows: readonly Row[] } | undefined> {
  const body = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  const headEnd = headBytes + body.readUInt32BE();
  // Rows of v1 were one portion: its first bytes are no length.
  if (headEnd > body.byteLength) return undefined;
  const { about, bytes } = JSON.parse(body.toString('utf8', headBytes, headEnd)) as Head<About>;
  const first = Math.floor(start / rowsOfPortion);
  const rows: Row[] = [];
  let from = headEnd;
  for (const [index, length] of bytes.entries()) {
    const begins = index * rowsOfPortion;
    if (index >= first && begins < end) {
      const text = (await decompress(body.subarray(from, from + length))).toString();
      const portion = JSON.parse(text) as Row[];
      rows.push(...portion.slice(Math.max(0, start - begins), end - begins));
    }
    from += length;
  }
  return { about, rows };
}
