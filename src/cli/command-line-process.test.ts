import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compiledBefore } from '../../test/support/command-line.ts';
import { program } from '../../test/support/program.ts';

/** The program as a process of its own: what is seen from a shell. */
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-process-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(argv: readonly string[], environment: Record<string, string> = {}) {
  const env = { ...compiledBefore, DATA_DIR: folder, ...environment };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [program, ...argv], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('the program', () => {
  test('prints the result alone to standard output, also as the first on a data folder', async () => {
    const elsewhere = { DATA_DIR: join(folder, 'not', 'there', 'yet') };
    const created = await run(['account', 'create', '--name', 'A', '--json'], elsewhere);
    expect(created).toEqual({ code: 0, stdout: '{"accountId":1}\n', stderr: '' });
  });

  test('says where there can be no data folder', async () => {
    const dataFolder = join(program, 'data');
    const environment = { DATA_DIR: dataFolder, LOG_LEVEL: 'silent' };
    const refused = await run(['serve'], environment);
    const reason = `ENOTDIR: not a directory, mkdir '${dataFolder}'`;
    expect(refused).toEqual({ code: 1, stdout: '', stderr: `playmeter serve: ${reason}\n` });
  });

  test('serves in the role that was typed', { tags: 'long' }, async () => {
    // Each of them needs stores that all nodes share. No folder: it would be the next complaint.
    const dataFolder = join(program, 'data');
    const stderr =
      `playmeter serve: --role collect is for one of several nodes: set CLICKHOUSE_URL and ` +
      'DATABASE_URL, the same on all\n';
    const refused = await run(['serve', '--role', 'collect'], { DATA_DIR: dataFolder });
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
  });

  test('makes nothing where there is no data', async () => {
    const empty = join(folder, 'empty');
    const { code, stdout, stderr } = await run(['account', 'list'], { DATA_DIR: empty });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `playmeter account list: There is no data in ${empty} (DATA_DIR): ` +
        'start the service, or create an account\n',
    );
    await expect(stat(empty)).rejects.toThrow('ENOENT');
  });

  test('ends with 2 at wrong usage', async () => {
    expect(await run(['account', 'create', '--nme', 'A'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--nme'),
    });
  });

  test('says which database cannot be reached, and ends with 1', { tags: 'long' }, async () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, stderr } = await run(['account', 'list'], environment);
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1');
  });
});
