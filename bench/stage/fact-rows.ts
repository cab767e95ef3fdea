/** Facts as the bare engine is given them: encoded beforehand, in its binary row format. */
import { randomBytes } from 'node:crypto';
import { toldSystem } from '../../src/store/tables/audience.ts';
import type { BareEngine } from './bare-engine.ts';

const limitTable = 'bare_stretch';

/** The table of the facts, as durable as the real one, without what hangs on it. */
export async function createLimitTable(engine: BareEngine): Promise<void> {
  await engine.run(`CREATE TABLE IF NOT EXISTS ${limitTable} AS stretch`);
}

/** Of `stretch`, what a beacon that tells nothing else fills. */
const columns = [
  ...['accountId', 'slot', 'packageId', 'videoId', 'view', 'stretch', 'startMs'],
  ...['plays', 'playMs', 'toldSystem'],
];

function encodeFactRows(count: number): Uint8Array<ArrayBuffer> {
  const slot = Math.floor(Date.now() / 900_000) * 900;
  const rows: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const row = Buffer.alloc(128);
    let at = row.writeUInt32LE(1, 0);
    at = row.writeUInt32LE(slot, at);
    at = row.writeUInt32LE(1, at);
    at = row.writeUInt32LE(1 + (index % 20), at);
    at += randomBytes(16).copy(row, at);
    at = row.writeUInt32LE(0, at);
    at = row.writeBigUInt64LE(BigInt(slot) * 1_000n, at);
    at = row.writeUInt8(1, at);
    at = row.writeUInt32LE(10_000, at);
    at = writeText(row, at, toldSystem('Android', String(10 + (index % 6))));
    rows.push(row.subarray(0, at));
  }
  return new Uint8Array(Buffer.concat(rows));
}

function writeText(row: Buffer, at: number, text: string): number {
  row.writeUInt8(text.length, at);
  return at + 1 + row.write(text, at + 1, 'latin1');
}

/** Rows per second of inserts one after the other, two at a time, over some seconds. */
export async function insertRate(engine: BareEngine, seconds: number, rowsPerInsert: number) {
  const blocks = Array.from({ length: 8 }, () => encodeFactRows(rowsPerInsert));
  const startedAt = performance.now();
  let rows = 0;
  const insertOn = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() - startedAt < seconds * 1_000; turn += 2) {
      const block = blocks[turn % blocks.length] as Uint8Array<ArrayBuffer>;
      await engine.insert(limitTable, columns, block);
      rows += rowsPerInsert;
    }
  };
  await Promise.all([insertOn(0), insertOn(1)]);
  return rows / ((performance.now() - startedAt) / 1_000);
}
