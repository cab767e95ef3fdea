import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import { batchOfRows, encodeFacts, type FactBatch } from './fact-batch.ts';
import { createFrame, createLedgerFrame, readFrames } from './journal-frame.ts';

const anyBatch = fc
  .array(
    fc.record({
      accountId: fc.nat(),
      slotStart: fc.constant(900_000),
      packageId: fc.nat(),
      videoId: fc.nat(),
      os: fc.string({ unit: 'grapheme' }),
      osVersion: fc.constantFrom('₂', '\t', '\n', '\\', ''),
      view: fc.uuid(),
      stretch: fc.nat(),
      suspect: fc.constantFrom('', 'VIDEO:2026-11-22:17'),
      plays: fc.constantFrom(0, 1),
      playMs: fc.nat(),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((facts) => encodeFacts(facts));
const anyBatches = fc.array(anyBatch, { minLength: 1, maxLength: 5 });

const writtenAtMs = (index: number) => 1_000_000 + index;
const framesOf = (batches: readonly FactBatch[]) =>
  batches.map((batch, index) => createFrame(batch, writtenAtMs(index)));

function indexOfFrameAt(frames: readonly Buffer[], byte: number): number {
  let end = 0;
  return frames.findIndex((frame) => {
    end += frame.length;
    return byte < end;
  });
}

function flipBit(bytes: Buffer, bit: number): number {
  const byte = Math.floor(bit / 8) % bytes.length;
  bytes[byte] = (bytes[byte] as number) ^ (1 << (bit % 8));
  return byte;
}

test('what was written is read again, with its columns and its time', () => {
  fc.assert(
    fc.property(anyBatches, (batches) => {
      const read = readFrames(Buffer.concat(framesOf(batches)));
      expect(read).toEqual({
        frames: batches.map((batch, index) => ({
          ...{ batch, ledger: [], writtenAtMs: writtenAtMs(index) },
        })),
        damagedPlaces: [],
        tornBytes: 0,
      });
    }),
  );
});

test('counts of the ledger are frames between those of facts', () => {
  const batch = batchOfRows(['slot', 'accountId'], Buffer.from('0000000900\t7\n'));
  const ledger = ['COUNTED', 'BOT'].map((outcome, index) => ({
    ...{ accountId: 7, day: '2026-11-20', outcome, run: 'a-run', beacons: index + 1 },
  }));
  const bytes = [createFrame(batch, 1), createLedgerFrame(ledger, 2), createFrame(batch, 3)];
  const { frames, damagedPlaces } = readFrames(Buffer.concat(bytes));
  expect(damagedPlaces).toEqual([]);
  expect(frames).toMatchObject([
    { batch: { count: 1 }, ledger: [], writtenAtMs: 1 },
    { batch: { count: 0 }, ledger, writtenAtMs: 2 },
    { batch: { count: 1 }, ledger: [], writtenAtMs: 3 },
  ]);
});

test('rows with other columns are read as what they were written as', () => {
  const columns = ['slot', 'country', 'accountId'];
  const batch = batchOfRows(columns, Buffer.from('0000000900\tKR\t7\n'));
  const { frames } = readFrames(createFrame(batch, 0));
  expect(frames).toEqual([{ batch, ledger: [], writtenAtMs: 0 }]);
  expect(batch.slots).toEqual(new Set(['7\t0000000900']));
});

test('a file cut off anywhere holds every whole frame before, and no damage', () => {
  fc.assert(
    fc.property(anyBatches, fc.nat(), (batches, at) => {
      const all = framesOf(batches);
      const bytes = Buffer.concat(all);
      const cut = at % bytes.length;
      const { frames, damagedPlaces, tornBytes } = readFrames(bytes.subarray(0, cut));
      const whole = indexOfFrameAt(all, cut);
      expect(frames.map(({ batch }) => batch)).toEqual(batches.slice(0, whole));
      expect(damagedPlaces).toEqual([]);
      expect(tornBytes).toBe(cut - Buffer.concat(all.slice(0, whole)).length);
    }),
  );
});

test('one flipped bit anywhere loses the frame it hits and no other, and is never silent', () => {
  fc.assert(
    fc.property(anyBatches, fc.nat(), (batches, bit) => {
      const all = framesOf(batches);
      const bytes = Buffer.concat(all);
      const hit = indexOfFrameAt(all, flipBit(bytes, bit));
      const { frames, damagedPlaces, tornBytes } = readFrames(bytes);
      expect(frames.map(({ batch }) => batch)).toEqual(batches.toSpliced(hit, 1));
      expect(damagedPlaces).toEqual([
        {
          at: Buffer.concat(all.slice(0, hit)).length,
          bytes: all[hit]?.length,
          afterMs: hit > 0 ? writtenAtMs(hit - 1) : undefined,
          beforeMs: hit < batches.length - 1 ? writtenAtMs(hit + 1) : undefined,
        },
      ]);
      expect(tornBytes).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});

test('bytes lost, doubled or made zero in the midst cost only the frames they belong to', () => {
  fc.assert(
    fc.property(anyBatches, anyBatch, fc.nat(), fc.nat(2), (before, behind, at, kind) => {
      const last = before.at(-1) as FactBatch;
      const whole = createFrame(last, 0);
      const from = 1 + (at % (whole.length - 1));
      const head = whole.subarray(0, from);
      const damaged = [head, Buffer.concat([head, head]), Buffer.alloc(whole.length)][kind];
      const bytes = Buffer.concat([
        ...framesOf(before.slice(0, -1)),
        damaged as Buffer,
        createFrame(behind, 5),
      ]);
      const { frames, damagedPlaces } = readFrames(bytes);
      expect(frames.map(({ batch }) => batch)).toEqual([...before.slice(0, -1), behind]);
      expect(damagedPlaces).toHaveLength(1);
    }),
  );
});

test.each<[string, Buffer, number]>([
  ['the beginning of another', Buffer.from([0xff, 0x50, 0x4d]), 3],
  ['zeros', Buffer.alloc(8), 0],
])('behind the last frame %s: cut off, or damage', (_name, bytes, tornBytes) => {
  const frame = createFrame(encodeFacts([]), 7);
  const read = readFrames(Buffer.concat([frame, bytes]));
  const damage = { at: frame.length, bytes: bytes.length, afterMs: 7, beforeMs: undefined };
  expect(read.tornBytes).toBe(tornBytes);
  expect(read.damagedPlaces).toEqual(tornBytes === 0 ? [damage] : []);
  expect(read.frames).toHaveLength(1);
});

test('frames of a later release are refused, whatever they hold', () => {
  const frame = createFrame(encodeFacts([]), 0);
  frame.writeUInt32LE(2, 4);
  frame.writeUInt32LE(crc32(frame.subarray(0, 24)), 24);
  expect(() => readFrames(frame)).toThrow(Fault);
  expect(() => readFrames(frame)).toThrow('A later release wrote the journal');
});
