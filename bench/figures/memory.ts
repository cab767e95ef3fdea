/** Resident memory of the service and its engine together, at rest and under full load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { type BenchService, collectPath, startBenchService } from '../stage/bench-service.ts';
import { fillHistories } from '../stage/history.ts';
import { askAll } from '../stage/questions.ts';

/** Merges of what was filled go on for some seconds. */
const restMs = 15_000;
const sampleMs = 250;

export const memory: Figure = {
  name: 'memory',
  async measure(size, say) {
    const service = await startBenchService();
    try {
      const account = await service.addAccount(20);
      const [beacons = 0] = size.beacons;
      await fillHistories(service, [{ account, beacons, videos: 20 }], say);
      await sleep(restMs);
      const atRest = service.residentMb();
      const plan = {
        port: service.port,
        path: collectPath,
        videoKeys: account.videoKeys,
        beaconsPerRequest: 100,
        connections: 256,
        warmSeconds: 0,
        seconds: Math.max(10, 3 * size.loadSeconds),
      };
      const loading = Promise.all([sendLoad(plan), askAll(service, account, size.asksPerQuestion)]);
      const underLoad = await mostUntil(service, loading);
      const note = `${beacons.toLocaleString('en-US')} beacons present`;
      return {
        measured: [
          { what: 'at rest', value: atRest, unit: 'MB', target: atMost(450), note },
          {
            what: 'under full load, the most',
            value: underLoad,
            unit: 'MB',
            target: atMost(1_536),
            note: 'batches of 100 at 256 connections, and all questions',
          },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

/** The most that it takes until then. */
export async function mostUntil(service: BenchService, done: Promise<unknown>): Promise<number> {
  let most = 0;
  let running = true;
  const finished = done.finally(() => {
    running = false;
  });
  while (running) {
    most = Math.max(most, service.residentMb());
    await Promise.race([sleep(sampleMs), finished]);
  }
  return most;
}
