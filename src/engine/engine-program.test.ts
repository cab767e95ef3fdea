import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitUntil } from '../../test/support/wait-until.ts';
import { startEngine } from './engine.ts';
import { findEngineProgram } from './engine-program.ts';
import { writeEngineFiles } from './engine-settings.ts';
import { createAuthorization, findRunningEngine } from './running-engine.ts';

const notInstalled = '@chdb/lib-of-another-system/package.json';
const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
);
const bundled: string = manifest.optionalDependencies['@chdb/lib-linux-x64-gnu'];
const [year, release] = bundled.split('.').map(Number) as [number, number];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-program-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A program `clickhouse` that says this version, and else runs the rest. */
function writeProgram(version: string, rest = ''): string {
  const path = join(folder, 'clickhouse');
  const lines = [
    '#!/bin/sh',
    `if [ "$1 $2" = "server --version" ]; then echo "${version}"; exit; fi`,
    rest,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o700);
  return path;
}

const official = (version: string) => `ClickHouse server version ${version} (official build).`;

test('the bundled engine runs where there is one, unless a program is named', async () => {
  const path = writeProgram(official(`${year}.${release}.9.1`));
  expect(await findEngineProgram(undefined, folder)).toMatchObject({
    name: 'bundled',
    version: bundled,
  });
  const found = { name: path, version: `${year}.${release}.9.1` };
  expect(await findEngineProgram('clickhouse', `/nowhere:${folder}`)).toMatchObject(found);
  expect(await findEngineProgram(path)).toMatchObject(found);
});

test('where there is none, it is `clickhouse` on the PATH', async () => {
  const path = writeProgram(official(`${year + 1}.1.2.3`));
  const found = await findEngineProgram(undefined, `/nowhere:${folder}`, notInstalled);
  expect(found).toMatchObject({ name: path, version: `${year + 1}.1.2.3` });
});

test('where there is none either, the start names the line that installs it', async () => {
  const none = findEngineProgram(undefined, '/nowhere', notInstalled);
  await expect(none).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /^There is no bundled ClickHouse for .* `curl https:\/\/clickhouse.com\/ \| sh`/,
    ),
  });
});

test.each([
  ['older', official(`${year}.${release - 1}.9.1`), /version \d+\.\d+ or later is needed/],
  ['of an earlier year', official(`${year - 1}.12.9.1`), /version \d+\.\d+ or later is needed/],
  ['something else', 'GNU bash', /is not ClickHouse/],
])('a program that is %s is refused', async (_, said, message) => {
  const found = findEngineProgram(writeProgram(said));
  await expect(found).rejects.toMatchObject({ code: 'UNAVAILABLE', message });
});

test('a program that is named and is not there is refused', async () => {
  await expect(findEngineProgram(join(folder, 'none'))).rejects.toThrow(/CLICKHOUSE_PROGRAM is/);
});

test('its process ends when the service is gone', async () => {
  const program = await findEngineProgram(
    writeProgram(official(bundled), `touch "${folder}/runs"; exec sleep 600`),
  );
  const files = { folder, configFile: 'config.xml', storeFolder: folder };
  const [command, ...words] = program.command(files, 1, []);
  const child = spawn(command, words, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  await waitUntil('the program', () => {
    try {
      return readFileSync(`${folder}/runs`, 'utf8') === '';
    } catch {
      return false;
    }
  });
  child.stdio[3]?.destroy();
  expect(await exit).toEqual([null, 'SIGKILL']);
});

test('an installed program is configured, closed and watched as the bundled engine is', {
  tags: 'long',
}, async () => {
  // Runs the bundled engine with the files and the port that a server would be given.
  const engineProcess = join(import.meta.dirname, 'engine-process.ts');
  const path = writeProgram(
    official(bundled),
    `for word; do case $word in
      --config-file=*) config=\${word#*=};;
      --path=*) store=\${word#*=};;
      --http_port=*) port=\${word#*=};;
    esac; done
    [ "$1" = server ] && [ "$CLICKHOUSE_WATCHDOG_ENABLE" = 0 ] || exit 1
    [ -p "$0.pipe" ] || /usr/bin/mkfifo "$0.pipe"
    exec "${process.execPath}" "${engineProcess}" "$config" "$store" "$port" 3<>"$0.pipe"`,
  );
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(line) });
  const data = join(folder, 'engine');
  const engine = await startEngine({ folder: data, memoryMb: 512, logger, program: 'clickhouse' });
  try {
    const ready = () => waitUntil('the engine', () => engine.whyNotReady() === undefined);
    await ready();
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        engine: path,
        version: expect.any(String),
        msg: 'starting the engine',
      }),
    );
    const ask = async (headers: Record<string, string>) => {
      const sql = `SELECT currentUser(), getSetting('max_execution_time')`;
      const answer = await fetch(engine.access.url, { method: 'POST', body: sql, headers });
      return [answer.status, (await answer.text()).slice(0, 20)];
    };
    const authorization = createAuthorization(engine.access);
    expect(await ask({ authorization })).toEqual([200, 'playmeter\t60\n']);
    expect((await ask({}))[0]).toBe(404);
    expect(await findRunningEngine(data)).toEqual(engine.access);
    const before = engine.processId();
    engine.restart('the test asks for it');
    await waitUntil('another process', () => ![before, undefined].includes(engine.processId()));
    await ready();
    expect(await ask({ authorization })).toEqual([200, 'playmeter\t60\n']);
  } finally {
    await engine.stop();
  }
  expect(await findRunningEngine(data)).toBeUndefined();
});

test('a server is told its files, and to listen on loopback alone', async () => {
  const program = await findEngineProgram(writeProgram(official(bundled)));
  const access = { username: 'playmeter', password: 'secret' };
  const files = writeEngineFiles({ folder, ...access, memoryMb: 512 });
  expect(program.command(files, 15_001, []).slice(5)).toEqual([
    'server',
    `--config-file=${folder}/config.xml`,
    '--',
    `--path=${folder}/store/`,
    '--http_port=15001',
    '--listen_host=127.0.0.1',
    '--logger.console=1',
    '--logger.level=error',
  ]);
});
