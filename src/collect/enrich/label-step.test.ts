import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { addLibrary } from '../../../test/support/catalogs.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Beacon } from '../../wire/beacons/beacon.ts';
import type { BeaconDraft } from '../draft.ts';
import { noteDeclaredLabels, setLabels } from './label-step.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalogAlone();
});
afterAll(() => catalog.close());

const draftWith = (labels?: Record<string, string>) => {
  const beacon: Partial<Beacon> = labels === undefined ? {} : { labels };
  return { beacon, attributes: { country: 'DE' } } as unknown as BeaconDraft;
};

async function accountWith(...names: string[]): Promise<number> {
  const { accountId } = await addLibrary(catalog);
  for (const name of names) await catalog.labels.create(accountId, name);
  return accountId;
}

/** What is kept of the labels of a beacon: by the numbers of those that the account declared. */
async function kept(accountId: number, labels: Record<string, string>) {
  const draft = draftWith(labels);
  await noteDeclaredLabels([{ draft, accountId }], catalog.labels);
  expect(setLabels.run(draft, { sender: {}, nowMs: 0 })).toBeUndefined();
  const { country, ...values } = draft.attributes ?? {};
  expect(country).toBe('DE');
  return [values, draft.labelsLeftOut];
}

const faces = '\u{1F600}'.repeat(64);
const text = 'x'.repeat(64);

test.each([
  ['declared', { a: 'A 1', b: '2' }, { label1: 'A 1', label2: '2' }, 0],
  ['not declared', { a: '1', other: '2' }, { label1: '1' }, 1],
  ['as long as may be', { a: faces, b: text }, { label1: faces, label2: text }, 0],
  ['longer', { a: `${faces}x`, b: `${text}x` }, {}, 2],
  ['with a control character', { a: '1\n', b: '\u0085' }, {}, 2],
  ['with half a character', { a: '\ud800' }, {}, 1],
  ['that reads as what is no value of its own', { a: 'Other' }, { label1: 'other' }, 0],
  ['of no name', {}, {}, 0],
])('labels: %s', async (_, labels, expected, leftOut) => {
  expect(await kept(await accountWith('a', 'b'), labels)).toEqual([expected, leftOut]);
});

test('of six labels the first five by name are kept, in whatever order they come', async () => {
  const accountId = await accountWith('f', 'e', 'd', 'c', 'b', 'a');
  expect(await kept(accountId, { f: '6', a: '1', b: '2', c: '3', d: '4', e: '5' })).toEqual([
    { label2: '5', label3: '4', label4: '3', label5: '2', label6: '1' },
    1,
  ]);
});

test('a label is marked as used with its first value, and the labels of accounts differ', async () => {
  const one = await accountWith('a', 'b');
  const other = await accountWith('b');
  const drafts = [draftWith({ a: '1' }), draftWith({ a: '', b: '\n' }), draftWith({ b: '2' })];
  const [first, second, third] = drafts as [BeaconDraft, BeaconDraft, BeaconDraft];
  await noteDeclaredLabels(
    [
      { draft: first, accountId: one },
      { draft: second, accountId: one },
      { draft: third, accountId: other },
    ],
    catalog.labels,
  );
  const used = async (accountId: number) =>
    [...(await catalog.labels.known(accountId))].map(([name, { isUsed }]) => [name, isUsed]);
  expect(await used(one)).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(await used(other)).toEqual([['b', true]]);
  expect(first.declaredLabels?.get('a')).toMatchObject({ number: 1, isUsed: true });
  expect(third.declaredLabels?.get('b')).toMatchObject({ number: 1, isUsed: true });
});

test('a label that another node declared meanwhile is not kept yet', () => {
  const draft = draftWith({ a: '1' });
  const run = () => setLabels.run(draft, { sender: {}, nowMs: 0 });
  run();
  expect(draft).toMatchObject({ labelsLeftOut: 1, attributes: { country: 'DE' } });
  draft.declaredLabels = new Map([['a', { labelId: 1, number: 1, isUsed: false }]]);
  run();
  expect(draft).toMatchObject({ labelsLeftOut: 1, attributes: { country: 'DE' } });
});

test('a beacon without labels leaves none out', () => {
  const draft = draftWith();
  setLabels.run(draft, { sender: {}, nowMs: 0 });
  expect(draft.labelsLeftOut).toBeUndefined();
});
