// Installs what the lockfile asks for: into a folder of its own, which then takes the place of
// node_modules, one process at a time, and never under a process that runs from it.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClaims } from './claims.mjs';
import { runProgram } from './run-program.mjs';

const stampFile = '.installed-from';
const treeFile = '.package-lock.json';
const pollMs = 200;
/** For how long a process that only looks whether it may start can be taken for one that runs. */
const looksWithinMs = 2_000;

/** Said to the person who started this, without a stack. */
export class CannotInstall extends Error {}

/**
 * Resolves when all that is needed is installed, and this process is noted as one that runs from
 * it. Of two that need it at once one installs and the other waits. Returns what notes a child.
 */
export async function enterInstallation(root, { isProduct }) {
  const claims = openClaims(root);
  for (let isSaid = false; ; ) {
    const leave = claims.claim('run');
    const [installer] = claims.others('install');
    if (installer === undefined && isInstalled(root, isProduct)) {
      process.once('exit', leave);
      return (childId) => process.once('exit', claims.claim('run', childId));
    }
    leave();
    if (installer === undefined) {
      await installAlone(root, isProduct, claims);
      continue;
    }
    if (!isSaid) console.error(`Waiting for process ${installer}, which installs here ...`);
    isSaid = true;
    while (claims.others('install').length > 0) await sleep(pollMs);
  }
}

/**
 * The stamp says that everything was installed from this lockfile; npm's own list, in the same
 * folder, says what. A stamp alone is not believed: something else may have removed packages.
 */
function isInstalled(root, isProduct) {
  const modules = join(root, 'node_modules');
  const stamp = stampOf(root, false);
  const found = readText(join(modules, stampFile));
  if (found !== stamp && !(isProduct && found === stampOf(root, true))) return false;
  if (!existsSync(pinnedNodeIn(root))) return false;
  const there = packagesOf(join(modules, treeFile));
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')));
  const needed = wanted.filter(
    ([path, { dev, optional, devOptional }]) =>
      path !== '' && !optional && !devOptional && !(dev && isProduct),
  );
  return (
    needed.every(([path, { version }]) => there[path]?.version === version) &&
    Object.keys(there).every((path) => isPresent(root, path))
  );
}

export function pinnedNodeIn(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(root, 'node_modules', 'node', 'bin', name);
}

async function installAlone(root, isProduct, claims) {
  const release = claims.claim('install');
  try {
    // Two that claim at once both step back, each for another while.
    if (claims.others('install').length > 0) return release();
    if (isInstalled(root, isProduct)) return;
    const runs = await othersThatRun(claims);
    const isAddition = runs.length > 0;
    if (isAddition && !canAdd(root)) {
      throw new CannotInstall(
        `The dependencies changed, and process ${runs.join(', ')} runs from the installed ones. ` +
          'Stop it, then start this again.',
      );
    }
    const staging = claims.pathOf('staging');
    await installInto(staging, root, isProduct);
    if (isAddition) addTo(root, staging, claims);
    else replace(root, staging, claims);
  } finally {
    release();
    rmSync(claims.pathOf('staging'), { recursive: true, force: true });
    rmSync(claims.pathOf('old'), { recursive: true, force: true });
    await sleep(Math.random() * pollMs);
  }
}

/** While this installs no other starts, so that they only become fewer. */
async function othersThatRun(claims) {
  const until = performance.now() + looksWithinMs;
  while (claims.others('run').length > 0 && performance.now() < until) await sleep(pollMs);
  return claims.others('run');
}

async function installInto(staging, root, isProduct) {
  console.error('Installing dependencies (about 1 GB, once) ...');
  mkdirSync(staging, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(staging, name));
  }
  const omit = isProduct ? ['--omit=dev'] : [];
  await npm(staging, 'ci', ...omit, '--ignore-scripts', '--loglevel=error');
  // The packages whose install script has to run: those that npm 12 is to allow, too. No other
  // may.
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scripted = Object.keys(allowScripts).filter((name) =>
    existsSync(join(staging, 'node_modules', name)),
  );
  if (scripted.length > 0) {
    await npm(staging, 'rebuild', '--ignore-scripts=false', '--loglevel=error', ...scripted);
  }
  writeFileSync(join(staging, 'node_modules', stampFile), stampOf(root, isProduct));
}

async function npm(folder, ...args) {
  const { code, received } = await runProgram('npm', args, {
    cwd: folder,
    // Its output goes to standard error, so that what a verb prints stays clean.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  }).catch((error) => {
    throw new CannotInstall(`npm could not be started: ${error.message}`);
  });
  if (code === 0 && received === undefined) return;
  throw new CannotInstall(`npm ${args[0]} ended with ${code}; what was installed is as it was`);
}

function replace(root, staging, claims) {
  const modules = join(root, 'node_modules');
  // A link is replaced itself: what it leads to may be others' as well.
  move(modules, claims.pathOf('old'));
  renameSync(join(staging, 'node_modules'), modules);
}

/** All that is there fits the lockfile; packages are only missing, such as those for the tests. */
function canAdd(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  return Object.entries(packagesOf(join(root, 'node_modules', treeFile))).every(
    ([path, { version, integrity }]) =>
      !isPresent(root, path) ||
      (wanted[path]?.version === version && wanted[path]?.integrity === integrity),
  );
}

function addTo(root, staging, claims) {
  const old = claims.pathOf('old');
  const staged = Object.keys(packagesOf(join(staging, 'node_modules', treeFile)));
  const ascending = staged.sort((one, other) => one.length - other.length);
  for (const path of ascending) {
    // Not there any more: it came with the package around it.
    if (isPresent(root, path) || !existsSync(join(staging, path))) continue;
    move(join(root, path), join(old, path));
    move(join(staging, path), join(root, path));
  }
  for (const name of [treeFile, stampFile]) {
    renameSync(join(staging, 'node_modules', name), join(root, 'node_modules', name));
  }
}

function move(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isPresent(root, path) {
  return existsSync(join(root, path, 'package.json'));
}

function stampOf(root, isProduct) {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const sum = createHash('sha256').update(lockfile).digest('hex');
  return isProduct ? `${sum} product` : sum;
}

function packagesOf(lockfile) {
  const text = readText(lockfile);
  return text === undefined ? {} : (JSON.parse(text).packages ?? {});
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
