/** `npm start` with data present, until it says that it is ready. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { atMost, type Figure } from '../figure.ts';
import { median } from '../record/percentile.ts';
import { startBenchService } from '../stage/bench-service.ts';
import { fillHistories } from '../stage/history.ts';

const root = join(import.meta.dirname, '../..');

export const start: Figure = {
  name: 'start',
  async measure(size, say) {
    const service = await startBenchService();
    try {
      const account = await service.addAccount(1);
      const [beacons = 0] = size.beacons;
      await fillHistories(service, [{ account, beacons, videos: 100 }], say);
      await service.stop();
      const seconds: number[] = [];
      for (let run = 0; run < Math.max(3, size.repetitions); run += 1) {
        seconds.push(await startOnce(service.dataFolder));
      }
      const note = `${beacons.toLocaleString('en-US')} beacons; npm itself included`;
      const value = median(seconds);
      return {
        measured: [{ what: 'npm start to ready', value, unit: 's', target: atMost(2), note }],
      };
    } finally {
      await service.remove();
    }
  },
};

export async function startOnce(dataFolder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataFolder, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own: npm does not pass every signal on to what it has started.
    detached: true,
  });
  // Not only npm, which does not wait for the service: that still holds the data folder.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('is ready')) resolve();
    });
    void ended.then(() => reject(new Error('npm start ended before it was ready')));
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended;
  return seconds;
}
