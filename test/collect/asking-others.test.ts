/** What collecting asks others about: labels, tokens, erasures and videos named by numbers. */
import { expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createCollector } from '../../src/collect/collector.ts';
import { identifyView } from '../../src/collect/steps/view-identity.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Fact } from '../../src/store/facts.ts';
import { forEverMs } from '../../src/vocabulary/erasures.ts';
import { type EventCollecting, publishFilm } from '../support/collecting-events.ts';
import { type Film, useFilm } from '../support/use-film.ts';
import { addSecret, claimsFor, tokenOf } from '../support/view-token.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const dayMs = 24 * 60 * 60 * 1_000;

let catalog: Catalog;
let film: Film;
let collecting: EventCollecting;

useFilm({ startMs }, (scene) => {
  ({ catalog, film, collecting } = scene);
});

const beacon = (fields: object = {}) => ({
  ...{ view: 'v', stretch: 0, at: new Date(startMs).toISOString(), playMs: 1_000 },
  ...{ videoKey: film.videoKey, ...fields },
});
const written = () => collecting.facts.written.flat();

/** Erases every view of this name. */
async function erase(view: string) {
  const erased = identifyView('beacon', view);
  const target = { packageId: 0, videoId: 0, viewer: '', untilMs: forEverMs };
  const { accountId } = film;
  const kind = 'views' as const;
  const counts = { views: 1, facts: 1 };
  accepted(await catalog.erasures.record({ ...target, accountId, kind, views: [erased] }, counts));
  const looks: (readonly Fact[])[] = [];
  const parts = {
    ...collecting.parts,
    async erased(facts: readonly Fact[]) {
      looks.push(facts);
      return new Set(facts.filter((fact) => fact.view === erased));
    },
  };
  return { collect: createCollector(parts).collect, looks };
}

test('what was erased is acknowledged, left out, and counted as erased', async () => {
  const { collect } = await erase('gone');
  const lines = [beacon(), beacon({ view: 'gone' }), {}, beacon({ stretch: 1 })];
  expect(await collect(lines, {})).toMatchObject({ accepted: 3, rejected: [{ index: 2 }] });
  expect(written().map(({ view, stretch }) => [view, stretch])).toEqual([
    [identifyView('beacon', 'v'), 0],
    [identifyView('beacon', 'v'), 1],
  ]);
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 2, ERASED: 1 });
  expect(await collecting.counts()).toEqual({ received: 4, counted: 2, INVALID_BEACON: 1 });
  const erased = await collecting.metrics.getSingleMetric('playmeter_beacons_erased_total')?.get();
  expect(erased?.values[0]?.value).toBe(1);
});

test('of a beacon whose beginning was erased, the rest is kept', async () => {
  await erase('gone');
  const parts = {
    ...collecting.parts,
    erased: async (facts: readonly Fact[]) =>
      new Set(facts.filter(({ slotStart }) => slotStart < startMs)),
  };
  const at = new Date(startMs - 900_000).toISOString();
  await createCollector(parts).collect([beacon({ at, playMs: 1_000_000 })], {});
  expect(written().map(({ slotStart, playMs }) => [slotStart, playMs])).toEqual([
    [startMs, 100_000],
  ]);
  expect(await collecting.outcomes(film.accountId)).toEqual({ ERASED: 1 });
});

test('nobody looks for what was erased of accounts of which nothing was', async () => {
  const { collect, looks } = await erase('gone');
  const other = await publishFilm(catalog);
  await collect([beacon({ videoKey: other.videoKey })], {});
  expect(looks).toEqual([]);
  await collect([beacon({ videoKey: other.videoKey }), beacon()], {});
  expect(looks).toHaveLength(1);
});

test('what was erased of a request of many facts is left out of each part', async () => {
  const { collect } = await erase('gone');
  const at = new Date(startMs - dayMs - 1).toISOString();
  const days = Array.from({ length: 60 }, (_, index) =>
    beacon({ at, playMs: dayMs, view: index % 2 === 0 ? `day ${index}` : 'gone', stretch: index }),
  );
  expect(await collect(days, {})).toMatchObject({ accepted: 60 });
  expect(written()).toHaveLength(30 * 97);
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 30, ERASED: 30 });
});

test('with a key, each video that is named by its number is looked up once', async () => {
  const pairs: string[] = [];
  const publications: Catalog['publications'] = {
    ...catalog.publications,
    identifyWithin(accountId, accessKey, packageId) {
      pairs.push(`${accountId} ${accessKey} ${packageId}`);
      return catalog.publications.identifyWithin(accountId, accessKey, packageId);
    },
  };
  const { collect } = createCollector({ ...collecting.parts, publications });
  const { accountId, accessKey, packageId } = film;
  const named = beacon({ accessKey, packageId, videoKey: undefined });
  const lines = [named, { ...named, stretch: 1 }, beacon({ stretch: 2 })].map((line) =>
    JSON.parse(JSON.stringify(line)),
  );
  expect(await collect(lines, { accountId })).toEqual({ accepted: 3, rejected: [] });
  expect(pairs).toEqual([`${accountId} ${accessKey} ${packageId}`]);
});

test('videos of one request that are named by numbers are told apart', async () => {
  const { accountId, accessKey, packageId } = film;
  const fields = { packageName: 'Q', packageType: 'VOD' as const };
  const other = accepted(await catalog.packages.create(accountId, fields));
  const name = { accountId, accessKey, packageId: other.packageId };
  accepted(await catalog.publications.publish(name));
  const lines = [packageId, other.packageId].map((one, stretch) =>
    JSON.parse(JSON.stringify(beacon({ accessKey, packageId: one, stretch, videoKey: undefined }))),
  );
  const { collect } = createCollector(collecting.parts);
  expect(await collect(lines, { accountId })).toEqual({ accepted: 2, rejected: [] });
  expect(written().map((fact) => [fact.stretch, fact.packageId])).toEqual([
    [0, packageId],
    [1, other.packageId],
  ]);
});

test('tokens are looked at where there are some, and none of a sender with a key', async () => {
  const { accountId, packageId, videoKey } = film;
  accepted(await catalog.packages.change(accountId, packageId, { signing: 'require' }));
  const secret = await addSecret(catalog.signingKeys, accountId);
  const token = tokenOf(claimsFor(videoKey, startMs), secret);
  const { viewTokens } = collecting.parts;
  const asked: string[][] = [];
  const { collect } = createCollector({
    ...collecting.parts,
    viewTokens: {
      ...viewTokens,
      check(tokens) {
        asked.push(tokens.map((one) => one.token));
        return viewTokens.check(tokens);
      },
    },
  });
  const unsigned = beacon({ token: '' });
  const refusals = async (lines: readonly unknown[], sender = {}) =>
    (await collect(lines, sender)).rejected.map(({ index, code }) => [index, code]);
  expect(await refusals([unsigned, beacon(), {}])).toEqual([
    [0, 'UNSIGNED'],
    [1, 'UNSIGNED'],
    [2, 'INVALID_BEACON'],
  ]);
  expect(asked).toEqual([]);
  const lines = [{}, unsigned, beacon({ token, videoKey: 'none' }), beacon({ token: 'a.b.c' })];
  expect(await refusals([...lines, beacon({ token })])).toEqual([
    [0, 'INVALID_BEACON'],
    [1, 'UNSIGNED'],
    [2, 'UNKNOWN_VIDEO'],
    [3, 'UNSIGNED'],
  ]);
  expect(asked).toEqual([['a.b.c', token]]);
  expect(await refusals([beacon({ token: 'a.b.c' })], { accountId })).toEqual([]);
  expect(asked).toHaveLength(1);
});
