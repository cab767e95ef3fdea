// Runs a program as part of this process: it gets the signals meant for this one, and is stopped
// when whoever started this one is gone.
import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { commandLineOf, isAlive, nameOfProcess, parentOf } from './processes.mjs';

const lookEveryMs = 500;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Resolves to its exit code. `started` is given its process id. */
export function runProgram(program, args, { started = () => {}, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    if (child.pid !== undefined) started(child.pid);
    let received;
    const stop = (signal) => {
      received = signal;
      child.kill(signal);
    };
    const stopWatching = watchStarter(() => stop('SIGTERM'));
    for (const signal of signals) process.on(signal, stop);
    const end = () => {
      stopWatching();
      for (const signal of signals) process.off(signal, stop);
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      end();
      resolve({ code: code ?? 128 + constants.signals[signal], received });
    });
  });
}

/**
 * Lets the service go first where a verb runs beside it. The verb inherits this from here, since
 * what it did by itself would come after it was loaded, and for some of its threads alone.
 */
export function yieldToService([verb]) {
  const behind = constants.priority.PRIORITY_BELOW_NORMAL;
  if (verb !== 'serve' && getPriority() < behind) setPriority(behind);
}

/**
 * TRICKY: `npm start` runs a shell, which runs this. A signal sent to npm ends the shell, which
 * does not pass it on; `kill -9` of npm does not even end the shell. So npm and the shell are
 * watched. What was started without npm, from a script in the background say, goes on.
 */
function watchStarter(whenGone) {
  const starters = startersOf(process.ppid).map(nameOfProcess);
  if (starters.length === 0) return () => {};
  const timer = setInterval(() => {
    if (starters.every((name) => name !== undefined && isAlive(name))) return;
    clearInterval(timer);
    whenGone();
  }, lookEveryMs);
  return () => clearInterval(timer);
}

/** Process ids from the parent up to npm; none where npm did not start this. */
function startersOf(parent) {
  if (process.env.npm_lifecycle_event === undefined) return [];
  const grandparent = parentOf(parent);
  // Where there is no /proc the parent alone is known: npm, or its shell.
  if (grandparent === undefined || isNpm(parent)) return [parent];
  return isNpm(grandparent) ? [parent, grandparent] : [];
}

function isNpm(processId) {
  const line = commandLineOf(processId);
  const npm = process.env.npm_execpath;
  return line.startsWith('npm ') || (npm !== undefined && line.includes(npm));
}
