#!/usr/bin/env node
// The command of the packed product: runs the compiled service with the Node that it was tested
// with, whichever Node the machine has. Plain JavaScript that Node 20 can run.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, yieldToService } from '../scripts/run-program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist/main.js');
const { nodeFlags, testedNode } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

process.exitCode = await main().catch((error) => {
  console.error(`Node could not be started: ${error.message}`);
  return 1;
});

async function main() {
  if (testedNode === undefined || !existsSync(program)) {
    console.error('This is a clone, or was packed without its build: start it with `npm start`.');
    return 1;
  }
  const node = packagedNode() ?? ownNode();
  if (node === undefined) {
    console.error(
      `There is no packaged Node for ${process.platform}-${process.arch}, and this is Node ` +
        `${process.versions.node}: install Node ${testedNode} or newer`,
    );
    return 1;
  }
  const words = process.argv.slice(2);
  yieldToService(words);
  const { code } = await runProgram(node, [...nodeFlags, program, ...words], {
    // The channel shows the program that this process is gone, for whatever reason.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Beside the program, where nobody else may write; a read-only folder keeps none.
      NODE_COMPILE_CACHE: join(root, '.cache'),
      // Each thread that reads or writes files would else keep a heap of its own.
      MALLOC_ARENA_MAX: '1',
      ...process.env,
    },
  });
  return code;
}

/** Undefined where npm installed none: it is for Linux with glibc. */
function packagedNode() {
  if (process.platform !== 'linux' || isMusl()) return undefined;
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`node-linux-${process.arch}/package.json`);
    const node = join(dirname(manifest), 'bin/node');
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

function isMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function ownNode() {
  const major = (version) => Number(version.split('.')[0]);
  return major(process.versions.node) >= major(testedNode) ? process.execPath : undefined;
}
