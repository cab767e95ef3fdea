/** Collecting from players that report moments: real parts, over stores in memory. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createAbuseDetector, type UsualLimits } from '../../src/collect/abuse/abuse-detector.ts';
import { startAccountLedger } from '../../src/collect/account-ledger.ts';
import { createDimensionLimits } from '../../src/collect/dimension-limits/dimension-limits.ts';
import { createViewers } from '../../src/collect/enrich/viewer/viewers.ts';
import { createSteps } from '../../src/collect/pipeline.ts';
import { createViewTokens } from '../../src/collect/signing/view-tokens.ts';
import { createSpool, type SpoolLimits } from '../../src/collect/spool/spool.ts';
import { readTogether } from '../../src/collect/steps/event-reader.ts';
import { createCollectLedger } from '../../src/collect/steps/outcome-metrics.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { createSigningSealer } from '../../src/operations/signing-keys.ts';
import type { Fact, LedgerRow, PlayerEvent } from '../../src/store/facts.ts';
import { faultyWriter } from './faulty-writer.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { memoryEventLog } from './memory-event-log.ts';
import { valuesOfFacts } from './value-store.ts';
import { wideLimits } from './wide-bounds.ts';

/** What the service seals with in these tests. */
export const serviceSecret = 'a secret of the service';

export type EventCollecting = ReturnType<typeof collectingEvents>;

/** The parts that every collector of events is made of. */
export function collectingEvents(
  catalog: Catalog,
  clock: ManualClock = manualClock(),
  limits: Partial<SpoolLimits> = {},
  usual: UsualLimits = wideLimits,
) {
  const stores = {
    facts: faultyWriter<Fact>(),
    events: faultyWriter<PlayerEvent>(),
    ledgerRows: faultyWriter<LedgerRow>(),
  };
  const logger = pino({ level: 'silent' });
  // A write that fails is not tried again.
  const spooling = {
    clock: systemClock,
    logger,
    limits: { insertEveryMs: 0, waitMs: 0, ...limits },
  };
  const accountLedger = startAccountLedger({ store: stores.ledgerRows, clock, logger });
  const metrics = new Registry();
  const judge = createAbuseDetector({ limits: usual, secret: 'secret', clock, logger });
  const viewers = createViewers({ salts: catalog.salts, secret: 'secret', clock });
  const eventSpool = createSpool({ writer: stores.events, ...spooling });
  const events = readTogether(memoryEventLog(stores.events.written));
  const parts = {
    publications: catalog.publications,
    labels: catalog.labels,
    steps: createSteps({ metrics, clock, judge, countryOf: () => '', viewers }),
    spool: createSpool({ writer: stores.facts, accountLedger, ...spooling }),
    values: createDimensionLimits({
      store: valuesOfFacts(stores.facts.written),
      clock: systemClock,
      logger,
      versionsPerDay: 200,
      valuesPerDay: 1_000,
      valuesByAddress: 40,
    }),
    eventSpool,
    events,
    viewTokens: createViewTokens({
      signingKeys: catalog.signingKeys,
      signingSealer: createSigningSealer(serviceSecret),
      events,
      eventSpool,
      clock,
    }),
    ledger: createCollectLedger(metrics),
    accountLedger,
    clock,
  };
  return {
    ...stores,
    clock,
    metrics,
    parts,
    /** What the facts add up to: of those of one identity the largest counts. */
    totals() {
      const facts = Map.groupBy(stores.facts.written.flat(), ({ slotStart, view, stretch }) =>
        JSON.stringify([slotStart, view, stretch]),
      );
      const sum = (name: 'plays' | 'playMs') =>
        [...facts.values()]
          .map((same) => Math.max(...same.map((fact) => fact[name])))
          .reduce((total, value) => total + value, 0);
      return { plays: sum('plays'), playMs: sum('playMs') };
    },
    /** The account's ledger, by outcome. */
    async outcomes(accountId: number): Promise<Record<string, number>> {
      await parts.accountLedger.write();
      const rows = stores.ledgerRows.written.flat().filter((row) => row.accountId === accountId);
      return Object.fromEntries(rows.map(({ outcome, beacons }) => [outcome, beacons]));
    },
    /** What the metrics say became of the events; refusals by their reason, where there are any. */
    async counts(): Promise<Record<string, number>> {
      const named = await Promise.all(
        ['received', 'counted', 'set_apart', 'refused', 'unavailable'].map(async (name) => {
          const metric = await metrics.getSingleMetric(`playmeter_beacons_${name}_total`)?.get();
          return (metric?.values ?? []).map(({ labels, value }) => {
            return [labels.reason ?? name, value] as const;
          });
        }),
      );
      return Object.fromEntries(named.flat().filter(([, value]) => value > 0));
    },
    stop: () => parts.accountLedger.stop(),
  };
}

/** A new account's video, as players name it. */
export async function publishFilm(catalog: Catalog, allowedOrigins: readonly string[] = []) {
  const { accountId } = accepted(await catalog.accounts.create({ name: 'A', timeZone: 'UTC' }));
  const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'F' }));
  const { accessKey } = accepted(await catalog.videos.create(accountId, { folderId, title: 'T' }));
  const fields = { packageName: 'P', packageType: 'VOD' as const, allowedOrigins };
  const { packageId } = accepted(await catalog.packages.create(accountId, fields));
  const name = { accountId, packageId, accessKey };
  const { videoKey, videoId } = accepted(await catalog.publications.publish(name));
  return { ...name, videoKey, videoId };
}
