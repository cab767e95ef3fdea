/** Runs the service as several processes on one port: their parent, which holds what is one. */
import cluster from 'node:cluster';
import { join } from 'node:path';
import { restartOnDamage, startEngine } from '../engine/engine.ts';
import { holdDataFolder } from './data-folder.ts';
import { addEngineGauges, addLostLines } from './monitoring.ts';
import { whenAskedToStop } from './serve.ts';
import type { AppContext } from './service.ts';
import { superviseWorkers, type WorkerProcess } from './workers/supervisor.ts';
import { workerVariable } from './workers/worker-link.ts';

/** Resolves when it has been asked to stop and all have stopped. */
export async function serveWorkers(around: AppContext, count: number): Promise<void> {
  const { config, clock, logger } = around;
  const stopSignal = whenAskedToStop();
  const release = await holdDataFolder(config.DATA_DIR);
  try {
    const engine = config.CLICKHOUSE_URL
      ? undefined
      : await startEngine({
          folder: join(config.DATA_DIR, 'engine'),
          memoryMb: config.ENGINE_MEMORY_MB,
          program: config.CLICKHOUSE_PROGRAM,
          logger,
        });
    // NaN and infinite numbers of the metrics have no JSON.
    cluster.setupPrimary({ serialization: 'advanced' });
    const workers = superviseWorkers({
      ...{ count, clock, logger },
      fork: (number, isFirstStart) =>
        cluster.fork({
          [workerVariable]: isFirstStart ? `${number}` : `${number} again`,
        }) as WorkerProcess,
      whyEngineNotReady: () => engine?.whyNotReady(),
      addMetrics: (metrics) => {
        addLostLines(metrics, around.lostLines);
        if (engine) addEngineGauges(metrics, engine, config.ENGINE_MEMORY_MB);
      },
      onDamage: engine ? restartOnDamage(engine, clock) : () => {},
    });
    try {
      const signal = await Promise.race([stopSignal, workers.ended]);
      logger.info({ signal }, 'stopping');
    } finally {
      await workers.stop();
      await engine?.stop();
    }
  } finally {
    release();
  }
}
