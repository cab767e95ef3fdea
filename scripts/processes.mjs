// What can be said about other processes without a dependency: used before anything is installed.
import { readFileSync } from 'node:fs';

/**
 * Names a process for good: a number is given again after the process ended, but not with the same
 * moment of start. Undefined if it has ended. Elsewhere than on Linux the moment is not known.
 */
export function nameOfProcess(processId) {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  const [state, , ...fields] = statusOf(processId);
  // A zombie has ended; only its parent has not asked yet how.
  if (state === 'Z') return undefined;
  return `${processId}-${fields[17] ?? 0}`;
}

export function isAlive(name) {
  return nameOfProcess(Number.parseInt(name, 10)) === name;
}

/** Undefined where there is no /proc. */
export function parentOf(processId) {
  const parent = statusOf(processId)[1];
  return parent === undefined ? undefined : Number(parent);
}

export function commandLineOf(processId) {
  return read(`/proc/${processId}/cmdline`)?.replaceAll('\0', ' ') ?? '';
}

/** The fields from the third on: state, parent, ... The second, a name, may hold spaces. */
function statusOf(processId) {
  const status = read(`/proc/${processId}/stat`);
  return status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? [];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
