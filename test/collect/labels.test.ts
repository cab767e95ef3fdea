/** Labels from their declaration to the stored fact, with a real service. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerDay } from '../../src/wire/beacons/ledger.ts';
import { namedFacts } from '../support/named-facts.ts';
import { noonClock } from '../support/noon-clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const clock = noonClock();
const at = new Date(clock.now() - 120_000).toISOString();
let service: TestService;
let account: TestAccount;
let videoKey: string;
let views = 0;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

const manage = (method: string, path: string, message?: object) =>
  service.manage(account.key, method, path, message);
const declare = async (name: string): Promise<number> =>
  (await manage('POST', '/labels', { name })).body.labelId;

async function send(labels: object, members: object = {}, refused: readonly string[] = []) {
  views += 1;
  const beacon = { view: `view ${views}`, stretch: 0, at, playMs: 1_000, videoKey, ...members };
  const response = await service.send([{ ...beacon, labels }]);
  const detail = expect.stringContaining('more than 64 characters');
  const refusedLabels = refused.map((label) => ({ index: 0, label, detail }));
  expect(await response.json()).toEqual({
    ...{ accepted: 1, rejected: [] },
    ...(refused.length > 0 && { refusedLabels }),
  });
}

/** What the account's facts have in their columns of labels. */
async function stored(): Promise<string[]> {
  const rows = await service.facts.read<{ values: string[] }>({
    name: 'labels of a test',
    sql: `SELECT [label1, label2, label3] AS values FROM ${namedFacts}
      WHERE accountId = {account:UInt32} ORDER BY values`,
    parameters: { account: account.accountId },
  });
  return rows.map(({ values }) => values.join(' | '));
}

async function leftOut(): Promise<Pick<LedgerDay, 'counted' | 'received' | 'labelsLeftOut'>> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const ledger = await manage('GET', `/ledger?sdate=${day}&edate=${day}`);
  const [first]: Partial<LedgerDay>[] = ledger.body.list;
  const { counted = 0, received = 0, labelsLeftOut = 0 } = first ?? {};
  return { counted, received, labelsLeftOut };
}

test('values of declared names are kept, others are left out and counted', async () => {
  await declare('course');
  await declare('lesson');
  await send({ course: 'algebra', lesson: '3' });
  await send({ course: 'algebra', teacher: 'Noether', room: '1' });
  await send({ lesson: '' });
  await send({ course: 'a\u0000b', lesson: 'Other' }, {}, ['course']);
  await send({ course: 'é'.repeat(64), lesson: 'a'.repeat(65), room: 'a'.repeat(65) }, {}, [
    'lesson',
  ]);
  expect(await stored()).toEqual([
    ...[' |  | ', ' | other | ', 'algebra |  | ', 'algebra | 3 | '],
    `${'é'.repeat(64)} |  | `,
  ]);
  expect(await leftOut()).toEqual({ counted: 5, received: 5, labelsLeftOut: 5 });
});

test('what is no set of texts is refused with the name of what is wrong', async () => {
  const about = { stretch: 0, at, playMs: 1_000, videoKey };
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`l${index}`, '']));
  const given = [many, { course: 7 }, ['algebra']];
  const beacons = given.map((labels, index) => ({ ...about, view: `wrong ${index}`, labels }));
  const { rejected } = (await (await service.send(beacons)).json()) as {
    rejected: { code: string; detail: string }[];
  };
  expect(rejected.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    'INVALID_BEACON labels: must not have more than 100 properties',
    'INVALID_BEACON labels/course: must be string',
    'INVALID_BEACON labels: must be object',
  ]);
});

test('questions ask for them by name, and their schema says since when', async () => {
  await declare('lesson');
  await declare('course');
  await send({ course: 'algebra' });
  await send({ course: 'algebra' });
  await send({ course: 'biology' });
  await service.facts.rollUp();
  const [sdate, edate] = [at.slice(0, 10), new Date(clock.now()).toISOString().slice(0, 10)];
  const ask = async (query: string) => {
    const path = `/report/statistics/video/v2/${query}`;
    return (await (await service.get(path, account.key)).json()) as {
      data: Record<string, unknown>;
    };
  };
  const query = `query?sdate=${sdate}&edate=${edate}&measures=plays&dimensions=label.course`;
  expect((await ask(query)).data).toMatchObject({
    list: [
      { 'label.course': 'algebra', plays: 2 },
      { 'label.course': 'biology', plays: 1 },
    ],
  });
  const { data } = await ask('schema');
  const names = (data.dimensions as { name: string }[]).map(({ name }) => name);
  expect(names.slice(-2)).toEqual(['label.lesson', 'label.course']);
});

test('the owner lists, reads and declares them; refusals say why', async () => {
  const labelId = await declare('course');
  const label = { labelId, name: 'course', declaredAt: expect.any(String) };
  const one = await manage('GET', `/labels/${labelId}`);
  expect(one).toEqual({ status: 200, body: label });
  expect((await manage('GET', '/labels')).body).toMatchObject({ list: [label] });
  expect(await manage('POST', '/labels', { name: 'course' })).toMatchObject({ status: 409 });
  expect(await manage('POST', '/labels', { name: '1 course' })).toMatchObject({ status: 400 });
  expect(await manage('GET', '/labels/999999')).toMatchObject({ status: 404 });
});
