/** Collecting alone: real catalog, steps, spool and ledgers, over stores in memory. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createAbuseDetector, type UsualLimits } from '../../src/collect/abuse/abuse-detector.ts';
import { type AccountLedger, startAccountLedger } from '../../src/collect/account-ledger.ts';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import { createDimensionLimits } from '../../src/collect/dimension-limits/dimension-limits.ts';
import { createViewers } from '../../src/collect/enrich/viewer/viewers.ts';
import { createSteps } from '../../src/collect/pipeline.ts';
import { createSpool, type SpoolLimits } from '../../src/collect/spool/spool.ts';
import { createCollectLedger } from '../../src/collect/steps/outcome-metrics.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { Fact, LedgerRow } from '../../src/store/facts.ts';
import { openCatalogAlone } from './catalog-alone.ts';
import { type FaultyWriter, faultyWriter } from './faulty-writer.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { valuesOfFacts } from './value-store.ts';
import { wideLimits } from './wide-bounds.ts';

export interface Collecting {
  readonly clock: ManualClock;
  readonly catalog: Catalog;
  readonly collector: Collector;
  readonly accountLedger: AccountLedger;
  readonly facts: FaultyWriter<Fact>;
  readonly ledgerRows: FaultyWriter<LedgerRow>;
  readonly metrics: Registry;
  stop(): Promise<void>;
}

export async function startCollecting(
  limits: Partial<SpoolLimits> = {},
  usual: UsualLimits = wideLimits,
): Promise<Collecting> {
  const clock = manualClock();
  const logger = pino({ level: 'silent' });
  const catalog = await openCatalogAlone(clock);
  const [facts, ledgerRows] = [faultyWriter<Fact>(), faultyWriter<LedgerRow>()];
  const accountLedger = startAccountLedger({ store: ledgerRows, clock, logger });
  const spooling = { accountLedger, clock: systemClock, logger, limits };
  const spool = createSpool({ writer: facts, ...spooling });
  const metrics = new Registry();
  const judge = createAbuseDetector({ limits: usual, secret: 'secret', clock, logger });
  const viewers = createViewers({ salts: catalog.salts, secret: 'secret', clock });
  const collector = createCollector({
    publications: catalog.publications,
    labels: catalog.labels,
    steps: createSteps({ metrics, clock, judge, countryOf: () => '', viewers }),
    spool,
    values: createDimensionLimits({
      store: valuesOfFacts(facts.written),
      clock: systemClock,
      logger,
      versionsPerDay: 200,
      valuesPerDay: 1_000,
      valuesByAddress: 40,
    }),
    ledger: createCollectLedger(metrics),
    accountLedger,
    clock,
  });
  return {
    ...{ clock, catalog, collector, accountLedger, facts, ledgerRows, metrics },
    async stop() {
      await spool.stop();
      await accountLedger.stop();
      await catalog.close();
    },
  };
}
