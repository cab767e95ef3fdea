/** Links to views of the dashboard, by the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountCommandLine, openAccountCommandLine } from '../support/command-line.ts';

let commandLine: AccountCommandLine;
beforeAll(async () => {
  commandLine = await openAccountCommandLine({ PUBLIC_URL: 'https://stats.example/' });
});
afterAll(() => commandLine.remove());

const ask = (...words: string[]) => commandLine.ask(...words);

test('are made, listed and revoked', async () => {
  const view = ['--filter', 'country==KR', '--last-days', '28', '--expires', '2099-12-31'];
  const embed = ['--embed', 'https://A.example, https://b.example:8443'];
  const { shareId, link } = await ask('share', 'create', '--name', 'Korea', ...view, ...embed);
  expect(link).toMatch(/^https:\/\/stats\.example\/shared\/[\w-]{8}#[\w-]{43}$/);
  expect(await ask('share', 'list')).toMatchObject({
    shareList: [
      {
        ...{ shareId, name: 'Korea', filters: 'country==KR', lastDays: 28, accessKey: null },
        ...{ origins: ['https://a.example', 'https://b.example:8443'] },
        ...{ expiresAt: '2099-12-31T23:59:59.999Z', createdBy: 'COMMAND_LINE' },
      },
    ],
  });
  expect(await ask('share', 'revoke', '--share', String(shareId))).toEqual({ shareId });
  expect(await ask('share', 'list')).toEqual({ shareList: [] });
});

test('what is wrong is called by its option', async () => {
  const create = ['share', 'create', ...commandLine.ofAccount, '--name', 'Wrong'];
  const wrong = await commandLine.run(...create, '--last-days', '28', '--filter', 'nothing');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--filter has a')]);
  const neither = await commandLine.run(...create);
  expect(neither.stderr).toContain('--last-days must be given');
});
