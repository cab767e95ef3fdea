// The one program that the machine's own Node runs: installs what is missing, then runs the given
// script with the Node that package.json pins. Plain JavaScript, as are the files it imports,
// because Node 20 cannot run TypeScript.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDashboardBuilt } from '../dashboard/built-from.mjs';
import { isTrackerBuilt } from '../tracker/built-from.mjs';
import { CannotInstall, enterInstallation, pinnedNodeIn } from './install.mjs';
import { isProgramBuilt } from './program/built-from.mjs';
import { runProgram, yieldToService } from './run-program.mjs';
import { wordsWithoutTests } from './test-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const script = words.find((word) => !word.startsWith('-'));

// What runs the service needs nothing of what builds and tests it.
const isProduct = script === 'dist/main.js';

// Tests build what they need, when they need it.
const isTest = script === 'scripts/test.ts';

/** What runs and what browsers get, and whether it was built from the sources that are here. */
const built = [
  ['scripts/program/build.ts', isProgramBuilt],
  ['tracker/build.ts', isTrackerBuilt],
  ['dashboard/build.ts', isDashboardBuilt],
];

process.exitCode = await main().catch((error) => {
  if (!(error instanceof CannotInstall)) throw error;
  console.error(error.message);
  return 1;
});

async function main() {
  if (isTest && !words.includes('--all')) {
    const unknown = wordsWithoutTests(root, words.slice(words.indexOf(script) + 1));
    if (unknown.length > 0) {
      console.error(`No test file has this in its path: ${unknown.join(', ')}`);
      return 2;
    }
  }
  const started = await enterInstallation(root, { isProduct });
  for (const [build, isBuilt] of built) {
    if (isTest || isBuilt()) continue;
    const { code } = await runNode([build], { cwd: root, stdio: 'inherit', started });
    if (code !== 0) return code;
  }
  if (isProduct) yieldToService(words.slice(words.indexOf(script) + 1));
  const { nodeFlags } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { code } = await runNode([...nodeFlags, ...words], {
    // The channel shows the program that this process is gone, for whatever reason.
    stdio: isProduct ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    started,
  });
  return code;
}

async function runNode(args, options) {
  const env = { ...nodeEnvironment(), ...process.env };
  try {
    return await runProgram(pinnedNodeIn(root), args, { env, ...options });
  } catch (error) {
    throw new CannotInstall(`The pinned Node could not be started: ${error.message}`);
  }
}

function nodeEnvironment() {
  return {
    // What was compiled once is kept, and not compiled at every start.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    // Memory: each thread that reads or writes files would else keep a heap of its own. The flags
    // in package.json bound the heap; with that bound alone V8 would collect it four times as
    // often. They give the young generation more room than usual, since what is made for requests
    // that wait for the disk lives as long as these, and let the service give it back at rest.
    MALLOC_ARENA_MAX: '1',
  };
}
