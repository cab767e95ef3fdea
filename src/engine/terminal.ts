import { constants, openSync, writeSync } from 'node:fs';
import { DataType, load, open } from 'ffi-rs';

const { O_NOCTTY, O_RDWR } = constants;
const standardInput = 0;

/**
 * Makes a new terminal the standard input of this process. What was typed there ends a prompt, if
 * it ever comes to one.
 *
 * TRICKY: without one the library ends the process for whatever a connection throws, a reset as
 * well: https://github.com/ClickHouse/ClickHouse/issues/115666, mended in August 2026.
 *
 * @throws where the system has no terminals to give
 */
export function openTerminal(): void {
  open({ library: 'libc', path: 'libc.so.6' });
  const controller = openSync('/dev/ptmx', O_RDWR | O_NOCTTY);
  writeSync(controller, 'exit\n');
  callLibc('unlockpt', controller);
  const name = load({
    library: 'libc',
    funcName: 'ptsname',
    retType: DataType.String,
    paramsType: [DataType.I32],
    paramsValue: [controller],
  });
  callLibc('dup2', openSync(name, O_RDWR | O_NOCTTY), standardInput);
}

function callLibc(funcName: string, ...paramsValue: readonly number[]): void {
  const answer = load({
    library: 'libc',
    funcName,
    retType: DataType.I32,
    paramsType: paramsValue.map(() => DataType.I32),
    paramsValue: [...paramsValue],
  });
  if (answer < 0) throw new Error(`${funcName} answered ${answer}`);
}
