/** What collecting works with, made by the configuration. */
import type { Registry } from 'prom-client';
import {
  type AbuseDetector,
  createAbuseDetector,
  type UsualLimits,
} from '../../collect/abuse/abuse-detector.ts';
import type { AccountLedger } from '../../collect/account-ledger.ts';
import {
  createDimensionLimits,
  createValueNotes,
  type DimensionLimits,
} from '../../collect/dimension-limits/dimension-limits.ts';
import { type Countries, openCountries } from '../../collect/enrich/country/countries.ts';
import { createSpool } from '../../collect/spool/spool.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Writer } from '../../store/facts.ts';
import type { Facts } from '../../store/open-facts.ts';
import { type DiskSpace, watchDiskSpace } from '../disk-space.ts';
import { configuredStore } from '../store-access.ts';
import type { WorkerLink } from '../workers/worker-link.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the source of countries that is configured. */
export async function countriesOf(around: Configured, metrics: Registry): Promise<Countries> {
  const { config, clock, logger } = around;
  const countries = await openCountries({ file: config.GEO_MMDB, clock, logger });
  addGauge(
    metrics,
    'playmeter_country_database_age_seconds',
    'Seconds since the database of countries was made',
    () => (clock.now() - countries.builtAtMs()) / 1_000,
  );
  return countries;
}

interface NotedIn {
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly metrics: Registry;
}

/** Makes what bounds the values that strangers fill dimensions with. */
export function createConfiguredDimensionLimits(
  facts: Pick<Facts, 'values' | 'completeThrough'>,
  { config, clock, logger }: Configured,
  notedIn: NotedIn,
): DimensionLimits {
  return createDimensionLimits({
    store: { ...facts.values, completeThrough: facts.completeThrough },
    clock,
    logger,
    versionsPerDay: config.VERSIONS_PER_DAY,
    valuesPerDay: config.VALUES_PER_DAY,
    valuesByAddress: config.NEW_VALUES_BY_ADDRESS,
    noteValues: createValueNotes({ ...notedIn, clock }),
  });
}

/** Makes the judge of unusual playback by the configuration. */
export function createConfiguredAbuseDetector(
  { config, clock, logger }: Configured,
  secret: string,
): AbuseDetector {
  const limits = readAbuseLimits(config);
  // Each process of the service has its part of what an account may store.
  const apartBytes = Math.ceil(limits.apartBytes / config.WORKERS);
  const ACCOUNT = { ...limits.ACCOUNT, rows: Math.ceil(limits.ACCOUNT.rows / config.WORKERS) };
  return createAbuseDetector({ limits: { ...limits, ACCOUNT, apartBytes }, secret, clock, logger });
}

/** Imports come with a key: only the length of the film bounds them, and nothing is hashed. */
export function createImportAbuseDetector({ config, clock, logger }: Configured): AbuseDetector {
  return createAbuseDetector({ limits: readAbuseLimits(config), secret: '', clock, logger });
}

/** As strangers draw them, which compress badly, with its sums. */
const bytesOfRow = 300;

export function readAbuseLimits(config: Config): UsualLimits {
  const rowsOf = (mb: number) => Math.ceil((mb * 1_000_000) / bytesOfRow);
  const paceOf = (views: number, players: number, mbPerDay = 0) => {
    return { views, players, rows: rowsOf(mbPerDay) };
  };
  return {
    ADDRESS: paceOf(
      config.USUAL_VIEWS_BY_ADDRESS,
      config.USUAL_PLAYERS_BY_ADDRESS,
      config.USUAL_MB_BY_ADDRESS,
    ),
    VIEWER: paceOf(config.USUAL_VIEWS_BY_VIEWER, config.USUAL_PLAYERS_BY_VIEWER),
    VIDEO: paceOf(config.USUAL_VIEWS_BY_VIDEO, config.USUAL_PLAYERS_BY_VIDEO),
    ACCOUNT: paceOf(0, 0, config.USUAL_MB_BY_ACCOUNT),
    lengths: config.USUAL_LENGTHS,
    stretches: config.USUAL_STRETCHES,
    apartBytes: config.SET_APART_MB_PER_DAY * 1_000_000,
  };
}

interface SpoolContext extends Configured {
  readonly worker?: Pick<WorkerLink, 'number'>;
}

export function watchDisk(
  facts: Facts,
  { config, clock, logger, worker }: SpoolContext,
  metrics: Registry,
): Promise<DiskSpace> {
  // Of the processes of a node the first one looks after the engine's data.
  const isEngineOurs = !configuredStore(config) && (worker?.number ?? 1) === 1;
  return watchDiskSpace({
    folder: config.DATA_DIR,
    checkNewParts: isEngineOurs ? facts.checkNewParts : async () => {},
    ...{ clock, logger, metrics },
  });
}

/** The spools of facts and events, which take nothing where the disk has no room. */
export function createSpools(
  { stretches, events }: Facts,
  around: SpoolContext,
  { disk, accountLedger }: { readonly disk: DiskSpace; readonly accountLedger: AccountLedger },
) {
  const { config, clock, logger } = around;
  const limits = { insertEveryMs: stretches.everyMs };
  /** A configured server has a disk of its own. */
  const withRoom = <Item>(writer: Writer<Item>): Writer<Item> =>
    config.CLICKHOUSE_URL
      ? writer
      : {
          ...writer,
          whyNotReady: () => disk.whyFull() ?? writer.whyNotReady(),
          isFull: () => disk.whyFull() !== undefined,
        };
  return {
    spool: createSpool({ writer: withRoom(stretches), accountLedger, clock, logger, limits }),
    eventSpool: createSpool({ writer: withRoom(events), clock, logger }),
  };
}
