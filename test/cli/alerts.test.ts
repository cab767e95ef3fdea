/** Alerts, reports and their messages, by the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountCommandLine, openAccountCommandLine } from '../support/command-line.ts';

const url = 'https://hooks.example.com/a';
let commandLine: AccountCommandLine;
beforeAll(async () => {
  commandLine = await openAccountCommandLine();
});
afterAll(() => commandLine.remove());

const ask = (...words: string[]) => commandLine.ask(...words);

test('alerts are made, listed and deleted, and their messages replayed', async () => {
  const terms = ['--kind', 'drop', '--measure', 'plays', '--percent', '50', '--at-least', '2.5'];
  const made = await ask('alert', 'create', '--name', 'Fewer', ...terms, '--url', url);
  expect(made.secret).toMatch(/^whsec_/);
  const { alertId } = made;
  expect(await ask('alert', 'list')).toMatchObject({
    alertList: [
      {
        ...{ alertId, name: 'Fewer', kind: 'drop', percent: 50, weeks: 4, atLeast: 2.5, url },
        ...{ per: 'day', minutes: null, isFiring: false, createdBy: 'COMMAND_LINE' },
      },
    ],
  });
  const { rules } = commandLine.catalog;
  const [rule] = await rules.list(commandLine.accountId, 'alert');
  if (!rule) throw new Error('The alert is not in the catalog');
  const message = { type: 'alert.firing', body: '{}' } as const;
  await rules.conclude(rule, { judgedThrough: new Date(), isFiring: true, message });
  const { deliveryList } = await ask('delivery', 'list');
  expect(deliveryList).toMatchObject([{ alertId, receiver: url, state: 'waiting' }]);
  const { deliveryId, messageId } = deliveryList[0];
  const replayed = await ask('delivery', 'replay', '--delivery', String(deliveryId));
  expect(replayed).toEqual({ deliveryId, messageId });
  expect(await ask('alert', 'delete', '--alert', String(alertId))).toEqual({ alertId });
  expect(await ask('alert', 'list')).toEqual({ alertList: [] });
});

test('reports are made, listed and deleted', async () => {
  const terms = ['--every', 'month', '--measures', 'plays,viewers', '--dimension', 'video'];
  const more = ['--top', '5', '--hour', '0', '--url', url];
  const { reportId } = await ask('report', 'create', '--name', 'Monthly', ...terms, ...more);
  expect(await ask('report', 'list')).toMatchObject({
    reportList: [{ reportId, every: 'month', measures: 'plays,viewers', top: 5, hour: 0 }],
  });
  expect(await ask('report', 'delete', '--report', String(reportId))).toEqual({ reportId });
});

test('what is wrong is called by its option', async () => {
  const create = ['alert', 'create', ...commandLine.ofAccount, '--name', 'A', '--kind', 'silence'];
  const none = await commandLine.run(...create, '--minutes', '1', '--url', url);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--minutes')]);
  const mail = await commandLine.run(...create, '--minutes', '30', '--mail-to', 'a@example.com');
  expect([mail.code, mail.stderr]).toEqual([2, expect.stringContaining('--mail-to must be empty')]);
});
