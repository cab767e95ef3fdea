// Who works in this clone. Each process puts a file named after itself into a folder, so that what
// a killed process left behind is never mistaken for another's, and may be removed by anyone.
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, nameOfProcess } from './processes.mjs';

export function openClaims(root) {
  const folder = join(root, '.install');
  // A copied clone has the original's claims, which mean nothing to it.
  const place = realpathSync(root);

  const pathOf = (kind, processId = process.pid) =>
    join(folder, `${kind}-${nameOfProcess(processId) ?? `${processId}-ended`}`);

  return {
    /** For what a process keeps beside its claims; removed after its end, whoever comes by. */
    pathOf,

    /** Returns what takes it back. In a clone that cannot be written, nothing can change either. */
    claim(kind, processId) {
      const path = pathOf(kind, processId);
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, place);
      } catch (error) {
        if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
      }
      return () => rmSync(path, { force: true });
    },

    /** Process ids of the others that claim this; whatever dead processes left is removed. */
    others(kind) {
      const found = [];
      for (const entry of entriesOf(folder)) {
        const [claimed, name] = splitName(entry);
        if (!isAlive(name)) remove(join(folder, entry));
        else if (claimed === kind && isOfThisClone(join(folder, entry), place)) {
          found.push(Number.parseInt(name, 10));
        }
      }
      return found.filter((processId) => processId !== process.pid);
    },
  };
}

function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function splitName(entry) {
  const at = entry.indexOf('-');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

function isOfThisClone(path, place) {
  try {
    return readFileSync(path, 'utf8') === place;
  } catch {
    return false;
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // An npm whose starter was killed still writes into it: the next one removes it.
  }
}
