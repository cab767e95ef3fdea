/** Verbs that a signal ends amid their work: they end in order, and what they began is well. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openCommandLine } from '../support/command-line.ts';
import { testKinds } from '../support/each-kind.ts';
import { holdStatement } from '../support/held-statement.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A command line whose statistics are on a server that answers all but these statements. */
async function openHolding(text: string) {
  const { url, username, password } = inject('engineAccess');
  const held = await holdStatement(url, text);
  const commandLine = await openCommandLine({
    LOG_LEVEL: 'silent',
    CLICKHOUSE_URL: held.url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: `test_${randomUUID().replaceAll('-', '')}`,
  });
  return {
    ...commandLine,
    release: () => held.release(),

    /** Sends a signal while a statement is held. */
    async breakOff(signal: NodeJS.Signals, ...words: string[]) {
      const { child, ended } = commandLine.begin(words);
      let endedBefore: unknown;
      void ended.then((ran) => {
        endedBefore = ran;
      });
      const isReached = () => held.held() > 0 || endedBefore !== undefined;
      await waitUntil('a statement that is held', isReached);
      expect(endedBefore).toBeUndefined();
      child.kill(signal);
      return { ended };
    },

    async done(...words: string[]) {
      const { code, stdout, stderr } = await commandLine.run(...words, '--json');
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
      return JSON.parse(stdout);
    },

    async [Symbol.asyncDispose]() {
      held.close();
      await commandLine.remove();
    },
  };
}

// Most of the time they wait: each on stores of its own, all at once.
describe.concurrent('ended by a signal', () => {
  test('doctor', async () => {
    await using stage = await openHolding('');
    const { ended } = await stage.breakOff('SIGINT', 'doctor');
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter doctor: Broken off\n',
    });
  });

  test('migrate, after the step that is under way', async () => {
    await using stage = await openHolding('CREATE TABLE IF NOT EXISTS event');
    const { undone } = JSON.parse((await stage.run('migrate', '--check', '--json')).stdout);
    const { ended } = await stage.breakOff('SIGTERM', 'migrate');
    stage.release();
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter migrate: Broken off\n',
    });
    const { done: rest } = await stage.done('migrate');
    expect(undone.slice(-rest.length)).toEqual(rest);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThan(undone.length);
    expect(await stage.done('migrate', '--check')).toEqual({ undone: [] });
  });

  test('erase, of which the record stays, to be carried out later', async () => {
    await using stage = await openHolding('DELETE WHERE accountId');
    const made = await stage.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
    expect(made.code).toBe(0);
    await stage.done('migrate');
    const { ended } = await stage.breakOff('SIGTERM', 'erase', '--account', '1');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Recorded under receipt \S+; .*\nplaymeter erase: Broken off\n$/);
    stage.release();
    const [, receipt] = /receipt ([\w-]+)/.exec(stderr) ?? [];
    const again = await stage.done('erasure', 'list');
    expect(again.list).toMatchObject([{ receipt, state: 'deleting' }]);
  });

  test('demo, and what there is of it is removed', async () => {
    // As it stands in an address.
    await using stage = await openHolding('INSERT+INTO+stretch');
    const { ended } = await stage.breakOff('SIGINT', 'demo', '--plays', '100000');
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter demo: Broken off: remove what there is with: playmeter demo --remove\n',
    });
    stage.release();
    expect((await stage.run('demo')).stderr).toContain('with --remove');
    expect(await stage.done('demo', '--remove')).toMatchObject({ receipt: expect.any(String) });
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
      await using stage = await openHolding(statement);
      const made = await stage.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
      expect(made.code).toBe(0);
      await stage.done('migrate');
      const file = join(stage.folder, 'rows.csv');
      const words = ['export', '--account', '1', '--format', 'csv', ...asked, file];
      const { ended } = await stage.breakOff('SIGINT', ...words);
      expect(await ended).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: 'playmeter export: Broken off\n',
      });
      const left = await readdir(stage.folder);
      expect(left.filter((name) => name.includes('rows.csv'))).toEqual([]);
    },
  );
});
