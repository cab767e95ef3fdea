/** The simulation on one service, as it is shipped. */
import { addProcessAccount } from '../support/process-accounts.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { type ServiceFaultName, serviceFaults } from './service-faults.ts';
import { befalling, type Stage, stageLimits } from './stage.ts';
import { createWallClock } from './wall-clock.ts';

const diskMegabytes = 512;

export async function openServiceStage(
  faults: readonly ServiceFaultName[],
): Promise<Stage<ServiceFaultName>> {
  await using stack = new AsyncDisposableStack();
  const fillsDisk = faults.some((name) => name.endsWith('Disk'));
  const disk = fillsDisk ? await mountSmallDisk(diskMegabytes) : undefined;
  stack.defer(async () => disk?.remove());
  const clock = stack.adopt(await createWallClock(), (one) => one.remove());
  const environment = { ...stageLimits, ...clock.environment };
  const service = stack.adopt(await startServiceProcess(environment, { disk }), (one) =>
    one.remove(),
  );
  const opened = stack.move();
  return {
    site: { url: service.url, addAccount: (zone) => addProcessAccount(service, zone) },
    servers: [{ url: service.url, hasWorkers: false }],
    faults: befalling({ service, disk, clock }, serviceFaults),
    lastFault: 'killService',
    setClocksRight: () => clock.set(service, 0),
    remove: () => opened.disposeAsync(),
  };
}
