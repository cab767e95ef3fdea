/**
 * The journal's format on disk: a sequence of frames. A frame marks where it begins, when it
 * was written and which columns its rows have, so each can be read on its own: by a later
 * release, and after a damaged place. Rows are UTF-8, in which the marker cannot occur.
 *
 * A frame has facts, or the counts of the ledger of what its facts came from, by its columns.
 *
 *   marker 4 | version 4 | written, ms 8 | body's length 4 | body's CRC 4 | CRC of these 4 | body
 *
 * The body is a line with the names of the columns, then the rows.
 */
import { crc32 } from 'node:zlib';
import { Fault } from '../../vocabulary/faults.ts';
import type { LedgerRow } from '../facts.ts';
import { batchOfRows, type FactBatch, joinBatches } from './fact-batch.ts';

const marker = Buffer.from([0xff, 0x50, 0x4d, 0x4a]);
const version = 1;
const headBytes = 28;
const newline = 0x0a;

export interface Frame {
  readonly batch: FactBatch;
  /** Counts so far: the largest of a run holds. */
  readonly ledger: readonly LedgerRow[];
  /** By the service's clock. */
  readonly writtenAtMs: number;
}

/** Bytes that are not a frame. */
interface DamagedPlace {
  readonly at: number;
  readonly bytes: number;
  /** When the frames before and after it were written, if there are any. */
  readonly afterMs: number | undefined;
  readonly beforeMs: number | undefined;
}

export interface Frames {
  readonly frames: readonly Frame[];
  readonly damagedPlaces: readonly DamagedPlace[];
  /** The beginning of a frame at the very end: a write cut off by a crash, never acknowledged. */
  readonly tornBytes: number;
}

const ledgerColumns = ['accountId', 'day', 'outcome', 'run', 'beacons'];

/** Of the ledger: nothing in it needs to be escaped. */
export function createLedgerFrame(ledger: readonly LedgerRow[], writtenAtMs: number): Buffer {
  const rows = ledger.map(({ accountId, day, outcome, run, beacons }) =>
    [accountId, day, outcome, run, beacons].join('\t'),
  );
  const body = { columns: ledgerColumns, rows: Buffer.from(`${rows.join('\n')}\n`) };
  return createFrame(body, writtenAtMs);
}

function readLedger(rows: Buffer): LedgerRow[] {
  const lines = rows.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const [accountId, day = '', outcome = '', run = '', beacons] = line.split('\t');
    return { accountId: Number(accountId), day, outcome, run, beacons: Number(beacons) };
  });
}

export function createFrame(
  { columns, rows }: Pick<FactBatch, 'columns' | 'rows'>,
  writtenAtMs: number,
): Buffer {
  const body = Buffer.concat([Buffer.from(`${columns.join('\t')}\n`), rows]);
  const head = Buffer.alloc(headBytes);
  marker.copy(head);
  head.writeUInt32LE(version, 4);
  head.writeDoubleLE(writtenAtMs, 8);
  head.writeUInt32LE(body.length, 16);
  head.writeUInt32LE(crc32(body), 20);
  head.writeUInt32LE(crc32(head.subarray(0, 24)), 24);
  return Buffer.concat([head, body]);
}

/** All complete frames in order, wherever they are. Refuses frames of a later release. */
export function readFrames(bytes: Buffer): Frames {
  const frames: Frame[] = [];
  const damagedPlaces: DamagedPlace[] = [];
  let unreadable: { at: number; isTorn: boolean } | undefined;
  const endDamage = (end: number, beforeMs?: number): void => {
    if (unreadable === undefined) return;
    const { at } = unreadable;
    damagedPlaces.push({ at, bytes: end - at, afterMs: frames.at(-1)?.writtenAtMs, beforeMs });
    unreadable = undefined;
  };
  let at = 0;
  while (at < bytes.length) {
    const found = readFrame(bytes, at);
    if (typeof found === 'object') {
      endDamage(at, found.frame.writtenAtMs);
      frames.push(found.frame);
      at = found.end;
    } else {
      unreadable ??= { at, isTorn: found === 'torn' };
      at += 1;
    }
  }
  const tornBytes = unreadable?.isTorn ? bytes.length - unreadable.at : 0;
  if (tornBytes === 0) endDamage(bytes.length);
  return { frames, damagedPlaces, tornBytes };
}

type Found = { readonly frame: Frame; readonly end: number } | 'torn' | 'damaged';

function readFrame(bytes: Buffer, at: number): Found {
  const head = bytes.subarray(at, at + headBytes);
  const begin = head.subarray(0, marker.length);
  if (!begin.equals(marker.subarray(0, begin.length))) return 'damaged';
  if (head.length < headBytes) return 'torn';
  if (crc32(head.subarray(0, 24)) !== head.readUInt32LE(24)) return 'damaged';
  if (head.readUInt32LE(4) !== version) throw laterVersion(head.readUInt32LE(4));
  const end = at + headBytes + head.readUInt32LE(16);
  if (end > bytes.length) return 'torn';
  const body = bytes.subarray(at + headBytes, end);
  if (crc32(body) !== head.readUInt32LE(20)) return 'damaged';
  const endOfNames = body.indexOf(newline);
  const columns = body.toString('utf8', 0, endOfNames).split('\t');
  const rows = body.subarray(endOfNames + 1);
  const writtenAtMs = head.readDoubleLE(8);
  if (columns.join() === ledgerColumns.join()) {
    return { frame: { batch: joinBatches([]), ledger: readLedger(rows), writtenAtMs }, end };
  }
  return { frame: { batch: batchOfRows(columns, rows), ledger: [], writtenAtMs }, end };
}

function laterVersion(found: number): Fault {
  return new Fault(
    'INTERNAL',
    `A later release wrote the journal (format ${found}, this one reads ${version}): run that one`,
  );
}
