/** The service and its rivals, each a process of its own behind the same HTTP shape. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/support/postgres.ts';
import type { LoadOutcome } from '../load/generator.ts';
import { sendLoad } from '../load/send-load.ts';
import { median } from '../record/percentile.ts';
import { startRival } from '../rivals/start-rival.ts';
import { type BenchService, collectPath, startBenchService } from './bench-service.ts';

const videos = 20;

export interface Contenders {
  readonly service: BenchService;
  readonly videoKeys: readonly string[];
  readonly ports: Readonly<Record<'service' | 'node:http' | 'PostgreSQL' | 'SQLite', number>>;
  stop(): Promise<void>;
}

export async function startContenders(): Promise<Contenders> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-rivals-'));
  const service = await startBenchService();
  const { videoKeys } = await service.addAccount(videos);
  const database = await startPostgres();
  const [none, postgres, sqlite] = await Promise.all([
    startRival('none'),
    startRival('postgres', await database.createDatabase()),
    startRival('sqlite', join(folder, 'events.sqlite')),
  ]);
  return {
    service,
    videoKeys,
    ports: {
      service: service.port,
      'node:http': none.port,
      PostgreSQL: postgres.port,
      SQLite: sqlite.port,
    },
    async stop() {
      await Promise.all([none.stop(), postgres.stop(), sqlite.stop()]);
      await database.stop();
      await service.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Load {
  readonly beaconsPerRequest: number;
  readonly connections: number;
  readonly seconds: number;
}

/** One closed-loop run against one contender. */
export function load(contenders: Contenders, port: number, of: Load): Promise<LoadOutcome> {
  const { videoKeys } = contenders;
  return sendLoad({ port, path: collectPath, videoKeys, warmSeconds: 1, ...of });
}

/** Every contender in turn, again and again, so that what else the machine does meets all alike. */
export async function inTurn(
  repetitions: number,
  contenders: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, number>> {
  const runs: Record<string, number[]> = {};
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      runs[name] ??= [];
      runs[name].push(await run());
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, of]) => [name, median(of)]));
}
