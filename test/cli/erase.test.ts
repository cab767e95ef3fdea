/** The verb that erases, beside a service: nothing is erased by a wrong word. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneServer, type StartedService } from '../support/service-kinds.ts';

const at = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();

let started: StartedService;
let accountId: number;
beforeAll(async () => {
  started = await oneServer.start();
  const { service } = started;
  const account = await service.addAccount();
  ({ accountId } = account);
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const view = (name: string) => ({ view: name, stretch: 0, at, playMs: 1_000, videoKey });
  const sent = await service.send([view('first'), view('second')]);
  expect(await sent.json()).toEqual({ accepted: 2, rejected: [] });
});
afterAll(() => started?.stop());

async function erase(...words: string[]) {
  const ran = await started.run('erase', '--account', String(accountId), ...words);
  return { ...ran, printed: ran.printed.join('\n'), complaints: ran.complaints.join('\n') };
}

test('a view is counted, then erased, and the others stay', async () => {
  const one = ['--view', 'first'];
  const counted = 'Would erase 1 view (1 fact)';
  expect(await erase(...one, '--dry-run')).toMatchObject({ code: 0, printed: counted });
  const erased = expect.stringMatching(/^Erased 1 view \(1 fact\): /);
  expect(await erase(...one)).toMatchObject({ code: 0, printed: erased });
  expect(await erase('--dry-run')).toMatchObject({ code: 0, printed: counted });
});

test.each<[string, string[], RegExp]>([
  ['an empty view', ['--view', ''], /--view is empty/],
  ['an empty day', ['--before', ''], /--before is empty/],
  ['a day that does not exist', ['--before', '2026-02-30'], /--before must be a day/],
  ['a package that is no number', ['--package', 'all'], /--package must be a number/],
  ['a view and a viewer', ['--view', 'second', '--viewer', 'V'], /give only one of/],
  ['a viewer and a package', ['--viewer', 'V', '--package', '1'], /give only one of/],
])('%s: nothing is erased', async (_, words, complaint) => {
  const complaints = expect.stringMatching(complaint);
  expect(await erase(...words)).toMatchObject({ code: 2, printed: '', complaints });
  expect(await erase('--dry-run')).toMatchObject({ printed: 'Would erase 1 view (1 fact)' });
});
