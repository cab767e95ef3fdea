/**
 * A store whose disk is full sends less than it has made, or nothing, and still reports success. So
 * each file is checked against the number of rows that the store reported.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { Fault } from '../../vocabulary/faults.ts';
import type { RowFormat } from '../sql/fact-query.ts';

const lineEnd = 0x0a;
const quote = 0x22;
/** Begins and ends each file; between them stands at least the footer's length. */
const parquetMark = 'PAR1';
const leastParquetBytes = 12;

interface Wholeness {
  see(bytes: Buffer): void;
  isWhole(): boolean;
}

/** Passes a file on, and fails at its end unless it is whole. */
export function onlyWhole(format: RowFormat, rows: number): Transform {
  const wholeness = wholenessOf(format, rows);
  return new Transform({
    transform(bytes: Buffer, _encoding, done: TransformCallback) {
      wholeness.see(bytes);
      done(null, bytes);
    },
    flush(done: TransformCallback) {
      if (wholeness.isWhole()) return done();
      const detail = 'The statistics store broke off: its disk may be full';
      done(new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 1 }));
    },
  });
}

function wholenessOf(format: RowFormat, rows: number): Wholeness {
  switch (format) {
    case 'csv':
      return countingLines(rows + 1, true);
    case 'csv without header':
      return countingLines(rows, true);
    case 'jsonl':
      return countingLines(rows, false);
    case 'parquet':
      return lookingAtEnds();
  }
}

/** `hasQuotes`: line ends between quotes are part of a value. */
function countingLines(wanted: number, hasQuotes: boolean): Wholeness {
  let lines = 0;
  let last = lineEnd;
  let isQuoted = false;
  return {
    see(bytes) {
      for (const byte of bytes) {
        if (hasQuotes && byte === quote) isQuoted = !isQuoted;
        else if (byte === lineEnd && !isQuoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
    },
    isWhole: () => lines === wanted && last === lineEnd,
  };
}

/** Its footer says where each row is, so that nothing before it is missing where it is there. */
function lookingAtEnds(): Wholeness {
  let length = 0;
  let first = '';
  let last = '';
  return {
    see(bytes) {
      length += bytes.length;
      const most = parquetMark.length;
      first = (first + bytes.subarray(0, most).toString('latin1')).slice(0, most);
      last = (last + bytes.subarray(-most).toString('latin1')).slice(-most);
    },
    isWhole: () => length >= leastParquetBytes && first === parquetMark && last === parquetMark,
  };
}
