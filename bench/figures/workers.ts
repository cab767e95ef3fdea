/** One process against two on one port: rates, and processor time a request. */
import type { Figure, Measured } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median } from '../record/percentile.ts';
import { type BenchService, collectPath, startBenchService } from '../stage/bench-service.ts';
import { inTurn } from '../stage/contenders.ts';

const counts = [1, 2];
const kinds = [
  { name: 'single beacons', beaconsPerRequest: 1 },
  { name: 'batches of 100', beaconsPerRequest: 100 },
];
const connections = 256;

interface Contender {
  readonly service: BenchService;
  readonly videoKeys: readonly string[];
  /** Microseconds of processor time a beacon, by kind: a value a run. */
  readonly costs: Record<string, number[]>;
}

export const workers: Figure = {
  name: 'workers',
  async measure({ repetitions, loadSeconds: seconds }) {
    const contenders = new Map<number, Contender>();
    try {
      for (const count of counts) {
        const service = await startBenchService({ WORKERS: String(count) });
        const { videoKeys } = await service.addAccount(20);
        contenders.set(count, { service, videoKeys, costs: {} });
      }
      const measured: Measured[] = [];
      for (const { name, beaconsPerRequest } of kinds) {
        const runs = [...contenders].map(([count, contender]) => {
          const run = () => rateOf(contender, name, { beaconsPerRequest, seconds });
          return [`${count}`, run] as const;
        });
        const rates = await inTurn(repetitions, Object.fromEntries(runs));
        for (const [count, { costs }] of contenders) {
          const value = rates[`${count}`] ?? 0;
          measured.push({ what: `${name}, ${count} processes`, value, unit: 'beacons/s' });
          for (const part of ['service', 'parent', 'engine']) {
            const values = costs[`${name} ${part}`] ?? [];
            const what = `${name}, ${count} processes: ${part}`;
            measured.push({ what, value: median(values), unit: 'us/beacon' });
          }
        }
        const value = (rates['2'] ?? 0) / (rates['1'] ?? 1);
        measured.push({ what: `${name}: two processes against one`, value, unit: 'x' });
      }
      return { measured };
    } finally {
      for (const { service } of contenders.values()) await service.remove();
    }
  },
};

interface Load {
  readonly beaconsPerRequest: number;
  readonly seconds: number;
}

async function rateOf(contender: Contender, kind: string, of: Load): Promise<number> {
  const { service, videoKeys, costs } = contender;
  const before = service.processorTime();
  const { port } = service;
  const plan = { port, path: collectPath, videoKeys, connections, warmSeconds: 0, ...of };
  const { beaconsPerSecond, acknowledged } = await sendLoad(plan);
  const after = service.processorTime();
  for (const part of ['service', 'parent', 'engine'] as const) {
    const name = `${kind} ${part}`;
    const beacons = acknowledged * of.beaconsPerRequest;
    costs[name] = [...(costs[name] ?? []), ((after[part] - before[part]) / beacons) * 1e6];
  }
  return beaconsPerSecond;
}
