/** What `doctor` looks at, by the configuration. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { isThere } from '../../lib/folders.ts';
import { untilAborted } from '../../lib/tasks/abortable.ts';
import { createMetrics } from '../../lib/telemetry.ts';
import {
  isClockSynchronized,
  lookAtServerClocks,
  lookAtSynchronization,
  lookAtTimeZones,
} from '../../maintenance/doctor/clocks.ts';
import { type Examination, ok, warning } from '../../maintenance/doctor/doctor.ts';
import { lookAtDisk, lookAtMemory, lookAtOpenFiles } from '../../maintenance/doctor/machine.ts';
import { lookAtPort, lookAtProxy, readOpenFiles } from '../../maintenance/doctor/network.ts';
import {
  lookAtBackup,
  lookAtCatalog,
  lookAtCountries,
  lookAtExport,
  lookAtJournal,
  lookAtStore,
  lookAtStoreDisk,
} from '../../maintenance/doctor/stores.ts';
import type { MaintenanceContext } from '../../maintenance/maintenance-context.ts';
import { reservedBytes, reservedInodes, scarceBytes, scarceInodes } from '../disk-space.ts';
import { maintenanceAgeMs } from '../maintenance-ages.ts';
import { ownUrl } from '../own-urls.ts';
import { openConfiguredCountries } from '../parts/collect-parts.ts';
import { mostOpenFiles } from '../parts/http-options.ts';
import { parseSchedule } from '../parts/scheduled-exports.ts';
import type { AppContext } from '../service.ts';
import { openMaintenance } from './offline-stores.ts';

/** A store that takes longer is a finding. An engine that has to start takes a second. */
export const storeWithinMs = 20_000;

/** Creates nothing: where there is no data yet, that is a finding. */
export function listDoctorChecks(around: AppContext, version: string): Examination[] {
  return [...ofMachine(around, version), ...ofNetwork(around), ...ofStores(around)];
}

function ofMachine({ config }: AppContext, version: string): Examination[] {
  const engineMb = config.CLICKHOUSE_URL ? undefined : config.ENGINE_MEMORY_MB;
  const heapMb = Math.ceil(getHeapStatistics().heap_size_limit / 1_048_576);
  const serviceMb = heapMb * config.WORKERS;
  return [
    {
      subject: 'Program',
      remedy: 'Install it again',
      look: async () => [
        ok(`Playmeter ${version}, Node ${process.version}, ${process.platform} ${process.arch}`),
      ],
    },
    {
      subject: 'Time zones',
      remedy: '',
      look: async () => lookAtTimeZones(config.ICU_TIMEZONE_FILES_DIR),
    },
    {
      subject: 'Memory and files',
      remedy: '',
      look: async () => [
        ...lookAtMemory({ engineMb, serviceMb }),
        ...lookAtOpenFiles({
          ofService: await readOpenFiles(ownUrl(config.HOST, config.PORT)),
          ofProcess: mostOpenFiles(),
        }),
      ],
    },
    {
      subject: 'Clock',
      remedy: '',
      look: async () => lookAtSynchronization(await isClockSynchronized()),
    },
    {
      subject: `Data folder ${config.DATA_DIR}`,
      remedy: 'Start the service once, or set DATA_DIR to the folder that it uses',
      look: async () => {
        const folder = config.DATA_DIR;
        // A configured server has a disk of its own.
        const reserved = config.CLICKHOUSE_URL
          ? undefined
          : { bytes: reservedBytes, inodes: reservedInodes };
        const room = await statfs(folder);
        return lookAtDisk({ folder, room, scarceBytes, scarceInodes, reserved });
      },
    },
  ];
}

function ofNetwork({ config }: AppContext): Examination[] {
  const { HOST: host, PORT: port } = config;
  return [
    {
      subject: 'Address',
      remedy: 'Set HOST and PORT',
      look: () => lookAtPort({ host, port, ownUrl: ownUrl(host, port) }),
    },
    {
      subject: 'Proxy',
      remedy: 'See docs/proxy.md',
      look: () =>
        lookAtProxy({
          host,
          publicUrl: config.PUBLIC_URL,
          trustProxy: config.TRUST_PROXY,
          countryHeader: config.GEO_HEADER,
        }),
    },
  ];
}

function ofStores(around: AppContext): Examination[] {
  const { config, clock } = around;
  return [
    {
      subject: 'Countries',
      remedy: 'Set GEO_MMDB to a database of countries that can be read',
      async look() {
        const { builtAtMs, isOurs } = await openConfiguredCountries(around, createMetrics());
        return lookAtCountries(clock.now() - builtAtMs(), isOurs);
      },
    },
    {
      subject: 'Stores',
      remedy: 'See the log of the service; `playmeter verify` reads everything that is stored',
      look: (signal) => withUpkeep(around, signal, lookAtUpkeep),
    },
    {
      subject: 'Backup',
      remedy: '',
      look: async () => {
        // What is not in the data folder is backed up by the tools of those databases.
        if (config.CLICKHOUSE_URL || config.DATABASE_URL) return [];
        const age = maintenanceAgeMs(config.DATA_DIR, 'backup', clock);
        return lookAtBackup(Number.isNaN(age) ? undefined : age);
      },
    },
    {
      subject: 'Secret',
      remedy: 'Set APP_SECRET, the same on all nodes',
      look: async () => lookAtSecret(around),
    },
  ];

  async function lookAtUpkeep(upkeep: MaintenanceContext) {
    const { catalog, facts, checkJournal } = upkeep;
    const schedule = parseSchedule(config.EXPORT_SCHEDULE);
    const health = await facts.health();
    const hasJournal = await isThere(join(config.DATA_DIR, 'journal'));
    return [
      ...(await lookAtCatalog({
        catalog,
        monotonic: () => clock.monotonic(),
        now: () => clock.now(),
      })),
      ...lookAtStore(health),
      ...(config.CLICKHOUSE_URL ? lookAtStoreDisk(health.disk, scarceBytes) : []),
      ...lookAtServerClocks(await facts.clocks()),
      ...(hasJournal ? lookAtJournal(await checkJournal()) : []),
      ...(schedule ? lookAtExport(schedule, await catalog.exports.state(), clock.now()) : []),
    ];
  }
}

function lookAtSecret({ config }: AppContext) {
  const isShared = config.CLICKHOUSE_URL !== undefined || config.DATABASE_URL !== undefined;
  if (!isShared || config.APP_SECRET !== undefined) return [];
  return [
    warning(
      'The stores are servers that several nodes may use, but APP_SECRET is not set',
      'Set APP_SECRET, the same on all nodes: otherwise a page of one is refused by the next',
    ),
  ];
}

async function withUpkeep<Value>(
  around: AppContext,
  signal: AbortSignal,
  use: (upkeep: MaintenanceContext) => Promise<Value>,
): Promise<Value> {
  const upkeep = await openMaintenance(around, { withinMs: storeWithinMs, signal });
  try {
    return await untilAborted(use(upkeep), signal);
  } finally {
    await upkeep.close();
  }
}
