import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatherPieces } from './body-memory.ts';

function passedOn(sizes: readonly number[]) {
  const gathering = gatherPieces();
  const pieces = sizes.map((size, index) => Buffer.alloc(size, index));
  return {
    pieces,
    ready: [...pieces.flatMap((piece) => gathering.add(piece)), ...gathering.rest()],
  };
}

test('a body of few pieces passes as it came', () => {
  const { pieces, ready } = passedOn([300, 1, 70_000]);
  expect(ready).toHaveLength(3);
  for (const [index, piece] of pieces.entries()) expect(ready[index]).toBe(piece);
});

test('a body in single bytes is kept in few pieces, which hold nothing else', () => {
  const { ready } = passedOn(Array<number>(100_000).fill(1));
  expect(ready.length).toBeLessThan(20);
  const held = new Set(ready.slice(8).map(({ buffer }) => buffer));
  const heldBytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(heldBytes).toBeLessThan(200_000);
});

const few = Array<number>(8).fill(1);
test.each<[string, readonly number[], readonly number[]]>([
  ['the ninth is gathered', [...few, 1, 1], [...few, 2]],
  ['a large one passes at once', [...few, 4_096], [...few, 4_096]],
  ['one a little smaller waits', [...few, 4_095, 5], [...few, 4_100]],
  ['what is gathered goes before it', [...few, 3, 4_096, 5_000, 2], [...few, 3, 4_096, 5_000, 2]],
  ['as much as has room', [...few, ...Array(4).fill(4_095), 4], [...few, 16_384]],
  ['more than that', [...few, ...Array(4).fill(4_095), 4, 1], [...few, 16_384, 1]],
])('of many pieces: %s', (_name, sizes, lengths) => {
  expect(passedOn(sizes).ready.map(({ length }) => length)).toEqual(lengths);
});

test('whatever the pieces, their bytes are all there, in order', () => {
  const size = fc.oneof(fc.nat(10), fc.nat(20_000), fc.constantFrom(4_095, 4_096, 16_384));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const { pieces, ready } = passedOn(sizes);
      expect(Buffer.concat(ready).equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});
