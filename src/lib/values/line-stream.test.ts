import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, readLines, readPlacedLines } from './line-stream.ts';

const maxLineBytes = 8;

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function all<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The same without a stream. */
function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf('\n', at);
    const end = found === -1 ? bytes.length : found;
    const text = end - at > maxLineBytes ? undefined : bytes.toString('utf8', at, end);
    at = Math.min(end + 1, bytes.length);
    lines.push({ text, nextAt: at });
  }
  return lines;
}

const texts = fc
  .array(fc.constantFrom('', 'a', 'one', 'é', '서울', 'as long', 'far too long', '\r'))
  .map((lines) => Buffer.from(lines.join('\n')));

test('lines are the same, however the stream comes in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 20 }), async (bytes, pieceBytes) => {
      const pieces = () => inPieces(bytes, pieceBytes);
      const placed = (await all(readPlacedLines(pieces(), maxLineBytes))).flat();
      expect(placed).toEqual(linesOf(bytes));
      const alone = await all(readLines(pieces(), maxLineBytes));
      expect(alone).toEqual(placed.map(({ text }) => text));
    }),
    { numRuns: 500 },
  );
});
