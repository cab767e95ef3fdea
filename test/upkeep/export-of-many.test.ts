/** Exports by a schedule where several processes could carry them out: each day once. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createScheduledExports } from '../../src/app/parts/scheduled-exports.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { keepExporting } from '../../src/maintenance/export/export-job.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { addFilm, startTestService, type TestAccount } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const today = new Date().setUTCHours(0, 0, 0, 0);
/** None is yesterday, which is complete only some minutes after midnight. */
const day = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);

let store: ObjectStore;
/** The files of days and manifests that were written, in order; empty for others. */
let written: string[] = [];
beforeAll(async () => {
  store = await startObjectStore();
  store.meet(({ line, pass }) => {
    if (line.startsWith('PUT')) written.push(/(dt=[\d-]+\/facts|manifest)/.exec(line)?.[1] ?? '');
    pass();
  });
});
afterAll(() => store?.close());
beforeEach(() => {
  written = [];
});

const schedule = (name: string) => ({
  ...store.environment,
  ...{ EXPORT_SCHEDULE: '30 4 * * *', EXPORT_TO: `${store.location}/${name}` },
});

/** As if it were due since long ago. */
async function makeDue({ exports }: Catalog): Promise<void> {
  const hasBegun = async () => ((await exports.state())?.target ?? '') !== '';
  await waitUntil('the schedule to begin', hasBegun);
  await waitUntil('the lease', async () => (await exports.hold('test')) !== undefined);
  await exports.note('test', { afterMs: 0, retryAtMs: 0 });
  await exports.release('test');
}

async function passNight(catalog: Catalog, begin: () => void = () => {}): Promise<void> {
  written = [];
  const before = (await catalog.exports.state())?.succeededAtMs;
  await makeDue(catalog);
  begin();
  await waitUntil('the scheduled export', async () => {
    const { succeededAtMs } = (await catalog.exports.state()) ?? {};
    return succeededAtMs !== undefined && succeededAtMs !== before;
  });
}

async function playDays(url: string, account: TestAccount, film: object): Promise<void> {
  const beacons = [4, 3, 2].map((daysAgo) => ({
    ...{ view: `view-${daysAgo}`, stretch: 0, at: `${day(daysAgo)}T00:00:00Z`, playMs: 1_000 },
    ...film,
  }));
  const answer = await fetch(`${url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body: JSON.stringify({ beacons }),
  });
  expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
}

const eachOnce = [4, 3, 2].flatMap((daysAgo) => [`dt=${day(daysAgo)}/facts`, 'manifest']);

test('of two nodes that find it due at the same moment one exports', async () => {
  const postgres = await startPostgres();
  const environment = { ...(await nodeEnvironment(postgres)), ...schedule('nodes') };
  const pace = { lookBackMs: 1_000 };
  const start = () => startTestService({ environment, pace });
  const nodes = await Promise.all([start(), start()]);
  const logger = pino({ level: 'silent' });
  const stops: (() => Promise<void>)[] = [];
  try {
    const [node] = nodes;
    const account = await node.addAccount();
    const { packageId, accessKey } = await addFilm(account);
    await playDays(node.url, account, { packageId, accessKey });
    await Promise.all(nodes.map(({ facts }) => facts.rollUp()));
    // Beside those of the nodes, which look every few seconds: several that look at once.
    const beginMore = () => {
      for (const { config, catalog, facts } of [...nodes, ...nodes]) {
        const parts = createScheduledExports(
          { config, clock: systemClock, logger },
          { catalog, facts },
        );
        if (parts) stops.push(keepExporting(parts));
      }
    };
    await passNight(node.catalog, beginMore);
    expect(written.filter(Boolean)).toEqual(eachOnce);
    // What came in shortly before a look is written again after the next: at last nothing is.
    await waitUntil('a night without anything new', async () => {
      await passNight(node.catalog);
      expect([[], eachOnce]).toContainEqual(written.filter(Boolean));
      return written.length === 0;
    });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.stop();
  }
});
