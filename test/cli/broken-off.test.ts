/** Verbs that a signal ends amid their work: they end in order, and what they began is well. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { testKinds } from '../support/each-kind.ts';
import { type HeldStatement, holdStatement } from '../support/held-statement.ts';
import { waitUntil } from '../support/wait-until.ts';

let held: HeldStatement;
let commandLine: CommandLine;

/** A command line whose statistics are on a server that answers all but these statements. */
async function openHolding(text: string): Promise<void> {
  const { url, username, password } = inject('engineAccess');
  held = await holdStatement(url, text);
  commandLine = await openCommandLine({
    LOG_LEVEL: 'silent',
    CLICKHOUSE_URL: held.url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: `test_${randomUUID().replaceAll('-', '')}`,
  });
}
afterEach(async () => {
  held.close();
  await commandLine.remove();
});

/** Sends a signal while a statement is held. */
async function breakOff(signal: NodeJS.Signals, ...words: string[]) {
  const { child, ended } = commandLine.begin(words);
  let endedBefore: unknown;
  void ended.then((ran) => {
    endedBefore = ran;
  });
  await waitUntil('a statement that is held', () => held.held() > 0 || endedBefore !== undefined);
  expect(endedBefore).toBeUndefined();
  child.kill(signal);
  return { ended };
}

async function done(...words: string[]) {
  const { code, stdout, stderr } = await commandLine.run(...words, '--json');
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('doctor', async () => {
  await openHolding('');
  const { ended } = await breakOff('SIGINT', 'doctor');
  expect(await ended).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'playmeter doctor: Broken off\n',
  });
});

test('migrate, after the step that is under way', async () => {
  await openHolding('CREATE TABLE IF NOT EXISTS event');
  const { undone } = JSON.parse((await commandLine.run('migrate', '--check', '--json')).stdout);
  const { ended } = await breakOff('SIGTERM', 'migrate');
  held.release();
  expect(await ended).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'playmeter migrate: Broken off\n',
  });
  const { done: rest } = await done('migrate');
  expect(undone.slice(-rest.length)).toEqual(rest);
  expect(rest.length).toBeGreaterThan(0);
  expect(rest.length).toBeLessThan(undone.length);
  expect(await done('migrate', '--check')).toEqual({ undone: [] });
});

test('erase, of which the record stays, to be carried out later', async () => {
  await openHolding('DELETE WHERE accountId');
  const made = await commandLine.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
  expect(made.code).toBe(0);
  await done('migrate');
  const { ended } = await breakOff('SIGTERM', 'erase', '--account', '1');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Recorded under receipt \S+; .*\nplaymeter erase: Broken off\n$/);
  held.release();
  const [, receipt] = /receipt ([\w-]+)/.exec(stderr) ?? [];
  const again = await done('erasure', 'list');
  expect(again.list).toMatchObject([{ receipt, state: 'deleting' }]);
});

test('demo, and what there is of it is removed', async () => {
  // As it stands in an address.
  await openHolding('INSERT+INTO+stretch');
  const { ended } = await breakOff('SIGINT', 'demo', '--plays', '100000');
  expect(await ended).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'playmeter demo: Broken off: remove what there is with: playmeter demo --remove\n',
  });
  held.release();
  expect((await commandLine.run('demo')).stderr).toContain('with --remove');
  expect(await done('demo', '--remove')).toMatchObject({ receipt: expect.any(String) });
});

testKinds(
  [
    { name: 'facts', statement: 'AS seconds FROM stretch', asked: ['--facts'] },
    {
      name: 'an answer',
      tags: ['long' as const],
      statement: 'count_plays',
      asked: ['--measures', 'plays', '--from', '2026-11-01', '--to', '2026-11-02'],
    },
  ],
  'export of $name, of which nothing is left',
  async ({ statement, asked }) => {
    await openHolding(statement);
    const made = await commandLine.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
    expect(made.code).toBe(0);
    await done('migrate');
    const file = join(commandLine.folder, 'rows.csv');
    const words = ['export', '--account', '1', '--format', 'csv', ...asked, file];
    const { ended } = await breakOff('SIGINT', ...words);
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter export: Broken off\n',
    });
    const left = await readdir(commandLine.folder);
    expect(left.filter((name) => name.includes('rows.csv'))).toEqual([]);
  },
);
