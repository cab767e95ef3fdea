/** A log that cannot be written, and a terminal that is gone, end no service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/lib/network/free-port.ts';
import { program } from '../support/program.ts';
import { waitUntil } from '../support/wait-until.ts';

async function start(output: 'pipe' | number, environment = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-log-'));
  const port = await freePort();
  const child: ChildProcess = spawn(
    process.execPath,
    [...packageJson.nodeFlags, program, 'serve'],
    {
      env: { ...process.env, DATA_DIR: folder, PORT: String(port), ...environment },
      stdio: ['ignore', output, output],
    },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  let log = '';
  child.stderr?.on('data', (text) => {
    log += text;
  });
  await waitUntil('it is ready, or has ended', async () => {
    expect(child.exitCode).toBe(null);
    return (await ask('/readyz'))?.ok === true;
  });
  const lostLines = async () => {
    const text = (await (await ask('/metrics'))?.text()) ?? '';
    return Number(/^playmeter_log_lost_lines_total (\d+)$/m.exec(text)?.[1]);
  };
  return { child, lostLines, log: () => log };
}

test.each([['1'], ['2']])('on a full disk it starts and serves: WORKERS=%s', async (WORKERS) => {
  const { child, lostLines } = await start(openSync('/dev/full', 'w'), { WORKERS });
  expect(await lostLines()).toBeGreaterThan(0);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a reader that closes the pipe, and a SIGHUP, do not end it', async () => {
  const { child, lostLines, log } = await start('pipe');
  const [, engine] = /"processId":(\d+).*engine is ready/.exec(log()) ?? [];
  expect(await lostLines()).toBe(0);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill('SIGHUP');
  process.kill(Number(engine), 'SIGKILL');
  await waitUntil('the line about the engine is lost', async () => (await lostLines()) > 0);
  expect(child.exitCode).toBe(null);
});
