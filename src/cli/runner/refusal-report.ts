/** Refused rows of an import: the first to the terminal, all of them to the file of `--report`. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Fault } from '../../vocabulary/faults.ts';
import type { Parts } from '../verb.ts';
import { type Option, optionalOption } from './options.ts';

const shownRefusals = 20;

export const reportOption: Option = optionalOption(
  'Write refused rows to this file: JSON lines with line number and reason',
  'FILE',
);

interface RefusedRow {
  /** From 1. */
  readonly line: number;
  readonly code?: string;
  readonly reason: string;
}

export interface RefusalReport {
  add(row: RefusedRow): void;
  end(): void;
}

/** No file: only the terminal. An import that goes on where it was adds to its report. */
export function openRefusalReport(
  file: string,
  { complain }: Parts,
  { goesOn = false } = {},
): RefusalReport {
  const report = file === '' ? undefined : openFile(file, goesOn ? 'a' : 'w');
  let refused = 0;
  return {
    add(row) {
      refused += 1;
      const { line, code, reason } = row;
      if (refused <= shownRefusals) {
        complain(`line ${line}: ${code === undefined ? '' : `${code}: `}${reason}`);
      }
      if (refused === shownRefusals) {
        complain(
          `further refusals are ${report === undefined ? 'counted, not shown' : 'in the report'}`,
        );
      }
      if (report !== undefined) writeSync(report, `${JSON.stringify(row)}\n`);
    },
    end() {
      if (report !== undefined) closeSync(report);
    },
  };
}

function openFile(file: string, flags: 'a' | 'w'): number {
  try {
    return openSync(file, flags);
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be written`, { cause });
  }
}
