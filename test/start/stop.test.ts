/** Whoever starts the service can stop it, whichever process of those that make it up they know. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const root = join(import.meta.dirname, '../..');
const runner = [join(root, 'scripts/run.mjs'), 'dist/main.js', 'serve'];
let folder: string;
let child: ChildProcess | undefined;
let output = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-stop-'));
  output = '';
});

afterEach(async () => {
  const left = child?.pid === undefined ? [] : familyOf(child.pid);
  for (const processId of left) process.kill(processId, 'SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** In a process group of its own, as from a terminal. */
async function start(command: string, args: readonly string[]): Promise<readonly number[]> {
  const ofNpm = /^npm_/i;
  const environment = Object.entries(process.env).filter(([name]) => !ofNpm.test(name));
  child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: { ...Object.fromEntries(environment), DATA_DIR: folder, PORT: '0' },
  });
  const keep = (text: Buffer) => {
    output += text;
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  await waitUntil('it is ready', () => /Playmeter is ready.*first-key/s.test(output));
  return familyOf(child.pid ?? 0);
}

/** A process and all that descend from it, the oldest first. */
function familyOf(processId: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const parent = parentOf(Number(name));
      return parent === undefined ? [] : [{ name: Number(name), parent }];
    });
  const family = [processId];
  for (const member of family) {
    family.push(...parents.filter(({ parent }) => parent === member).map(({ name }) => name));
  }
  return family.filter((member) => isAlive(member));
}

function parentOf(processId: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')')).split(' ')[2]);
  } catch {
    return undefined;
  }
}

function commandOf(processId: number): string {
  return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ');
}

async function expectAllGone(family: readonly number[]): Promise<void> {
  await waitUntil('all to have ended', () => family.every((member) => !isAlive(member)));
  expect(output).toContain('"msg":"stopping"');
}

describe('npm start', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('%s to npm', async (signal) => {
    const family = await start('npm', ['start']);
    // npm, perhaps its shell, the runner, the service, the engine.
    expect(family.length).toBeGreaterThanOrEqual(4);
    child?.kill(signal);
    await expectAllGone(family);
  });

  test('a killed runner', async () => {
    const family = await start('npm', ['start']);
    const found = family.find((member) => /^node .*scripts\/run\.mjs/.test(commandOf(member)));
    process.kill(found ?? 0, 'SIGKILL');
    await expectAllGone(family);
  });

  test('goes on after the shell that put it into the background', async () => {
    const log = join(folder, 'log');
    const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = { ...Object.fromEntries(environment), DATA_DIR: folder, PORT: '0' };
    const command = `nohup npm start > '${log}' 2>&1 & echo $!`;
    child = spawn('sh', ['-c', command], { cwd: root, env, detached: true });
    child.stdout?.on('data', (text) => {
      output += text;
    });
    await new Promise((resolve) => child?.on('exit', resolve));
    const npm = Number(output);
    const read = () => readFile(log, 'utf8').catch(() => '');
    await waitUntil('it is ready', async () => (await read()).includes('first-key'));
    const url = /is ready: (\S+)/.exec(await read())?.[1];
    const family = familyOf(npm);
    // Several times as long as the runner takes to see that who started it is gone.
    const until = performance.now() + 2_000;
    await waitUntil('it to have looked', () => performance.now() > until);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    process.kill(npm, 'SIGTERM');
    await waitUntil('all to have ended', () => family.every((member) => !isAlive(member)));
    expect(await read()).toContain('"msg":"stopping"');
  });
});

describe('the runner itself, as a service manager starts it', () => {
  test('SIGTERM ends it in order', async () => {
    const family = await start('node', runner);
    const places = [
      `  Data folder: ${folder}`,
      '  Catalog: SQLite, in the data folder',
      '  Statistics: ClickHouse, in the data folder',
    ];
    expect(output).toContain(`\n${places.join('\n')}\n`);
    child?.kill('SIGTERM');
    expect(await codeOf(child)).toBe(0);
    await expectAllGone(family);
  });

  test('an interrupt at the terminal, which reaches every process, ends it in order', async () => {
    const family = await start('node', runner);
    const ended = codeOf(child);
    process.kill(-(child?.pid ?? 0), 'SIGINT');
    await waitUntil('it begins to stop', () => output.includes('"msg":"stopping"'));
    // The runner passes it on, so that it comes again; nor does a second one cut anything short.
    process.kill(-(child?.pid ?? 0), 'SIGINT');
    // 130 where all was done and only the process was left to end.
    expect([0, 130]).toContain(await ended);
    await expectAllGone(family);
  });
});

test('what runs beside the service lets it go first', async () => {
  const family = await start('node', runner);
  expect(family.map(getPriority)).toEqual(family.map(() => getPriority()));
  const verb = spawn('node', [...runner.slice(0, 2), 'doctor'], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: 'ignore',
  });
  const ended = codeOf(verb);
  let program: number | undefined;
  await waitUntil('the verb runs', () => {
    const [, ...children] = familyOf(verb.pid ?? 0);
    program = children.find((member) => / dist\/main.js/.test(commandOf(member)));
    return program !== undefined;
  });
  expect(getPriority(program)).toBe(Math.max(10, getPriority()));
  await ended;
});

function codeOf(ended: ChildProcess | undefined): Promise<number | null> {
  return new Promise((resolve) => ended?.on('exit', (code) => resolve(code)));
}
