// The one file that the machine's own Node runs: installs what is missing from the lockfile, then
// runs the given script with the Node that package.json pins. Plain JavaScript, because Node 20
// cannot run TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed-from');
const words = process.argv.slice(2);

// What runs the service needs nothing of what builds and tests it.
const isProduct = words.includes('src/main.ts');

// The packages whose install script has to run: those that npm 12 is told to allow, too. .npmrc
// forbids all others.
const { allowScripts, nodeFlags } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scripted = Object.keys(allowScripts);

const nodeEnvironment = {
  // What was compiled once, types stripped, is kept: a start takes half the time.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
  // Memory: each thread that reads or writes files would else keep a heap of its own. The flags
  // in package.json halve the young generation, of which up to three times its size is kept.
  MALLOC_ARENA_MAX: '1',
};

installWhatIsMissing();
runWithPinnedNode(words);

function installWhatIsMissing() {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === wanted || (isProduct && installed === `${wanted} product`)) return;
  console.error('Installing dependencies (about 1 GB, once) ...');
  const omit = isProduct ? ['--omit=dev'] : [];
  npm('ci', ...omit, '--ignore-scripts', '--loglevel=error');
  const present = scripted.filter((name) => existsSync(join(root, 'node_modules', name)));
  npm('rebuild', '--ignore-scripts=false', '--loglevel=error', ...present);
  writeFileSync(stamp, isProduct ? `${wanted} product` : wanted);
}

function npm(...args) {
  // npm's own output goes to standard error, so that what a verb prints stays clean.
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function runWithPinnedNode(args) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = join(root, 'node_modules', 'node', 'bin', name);
  const child = spawn(node, [...nodeFlags, ...args], {
    stdio: 'inherit',
    env: { ...nodeEnvironment, ...process.env },
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  child.on('error', (error) => {
    console.error(`The pinned Node could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
