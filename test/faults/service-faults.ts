/** What befalls the service in the simulation, each with how often a process is killed by it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ServiceProcess } from '../support/service-process.ts';
import type { SmallDisk } from '../support/small-disk.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, Meanwhile } from './stage.ts';
import { drawAheadMs, drawBackMs, type WallClock } from './wall-clock.ts';

/** Only against hanging for ever. */

interface Victim extends Meanwhile {
  readonly service: ServiceProcess;
  /** That of the service, where one is to be filled. */
  readonly disk: SmallDisk | undefined;
  readonly clock: WallClock;
}

type ServiceFault = Fault<Victim>;

const killEngine: ServiceFault = {
  kills: 1,
  async strike({ service }) {
    const engine = await runningEngine(service);
    const before = service.engineProcesses().length;
    process.kill(engine, 'SIGKILL');
    await untilAnotherEngine(service, before);
  },
};

const killService: ServiceFault = {
  kills: 1,
  async strike(victim) {
    await killServiceOf(victim);
    await victim.service.start();
  },
};

const killBoth: ServiceFault = {
  kills: 2,
  async strike(victim) {
    process.kill(await runningEngine(victim.service), 'SIGKILL');
    await sleep(victim.random.below(300));
    await killServiceOf(victim);
    await victim.service.start();
  },
};

const killAtStart: ServiceFault = {
  kills: 2,
  async strike(victim) {
    const { service, random } = victim;
    await killServiceOf(victim);
    const started = service.start().catch(() => {});
    await sleep(random.between(50, 1_500));
    await killServiceOf(victim);
    await started;
    await service.start();
  },
};

/** What is written meanwhile is answered late or not at all, and may have been written or not. */
const freezeEngine: ServiceFault = {
  kills: 0,
  async strike({ service, random }) {
    const engine = await runningEngine(service);
    process.kill(engine, 'SIGSTOP');
    await sleep(random.between(200, 3_000));
    process.kill(engine, 'SIGCONT');
  },
};

/** Longer than the service lets a sender wait. */
const freezeEngineLong: ServiceFault = {
  kills: 0,
  async strike({ service }) {
    const engine = await runningEngine(service);
    process.kill(engine, 'SIGSTOP');
    await sleep(13_000);
    process.kill(engine, 'SIGCONT');
  },
};

/** The frozen engine does not see that its service is gone, and holds the store. */
const killServiceOfFrozenEngine: ServiceFault = {
  kills: 1,
  async strike({ service, random, serverKilled }) {
    const engine = await runningEngine(service);
    process.kill(engine, 'SIGSTOP');
    await sleep(random.between(50, 500));
    await service.kill('SIGKILL');
    serverKilled();
    process.kill(engine, 'SIGCONT');
    await untilGone(engine);
    await service.start();
  },
};

/**
 * One bit of what a killed service has left is wrong, and a write was cut off at its end. It is
 * done to a copy: whatever of it is given up as lost is in the original, and all of it counts once.
 */
const damageJournal: ServiceFault = {
  kills: 1,
  async strike(victim) {
    const { service, random, admitMore } = victim;
    admitMore();
    await killServiceOf(victim);
    const folder = join(service.dataFolder, 'journal');
    const names = (await readdir(folder)).filter((name) => /^\d+\.journal$/.test(name)).sort();
    const newest = names.at(-1) ?? `${'0'.repeat(12)}.journal`;
    const whole = names.length > 0 ? await readFile(join(folder, newest)) : Buffer.alloc(64, 1);
    const bytes = Buffer.concat([whole, whole.subarray(0, Math.min(20, whole.length))]);
    const at = random.below(Math.max(1, whole.length));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    const next = String(Number.parseInt(newest, 10) + 1).padStart(12, '0');
    await writeFile(join(folder, `${next}.journal`), bytes);
    await service.start();
  },
};

const fillDisk: ServiceFault = {
  kills: 0,
  async strike(victim) {
    await fillUntilRefused(victim);
    await makeRoom(victim);
  },
};

const killEngineOnFullDisk: ServiceFault = {
  kills: 1,
  async strike(victim) {
    const { service, random } = victim;
    await fillUntilRefused(victim);
    process.kill(await runningEngine(service), 'SIGKILL');
    await sleep(random.between(100, 1_500));
    await makeRoom(victim);
  },
};

const killServiceOnFullDisk: ServiceFault = {
  kills: 1,
  async strike(victim) {
    await fillUntilRefused(victim);
    await killServiceOf(victim);
    await diskOf(victim).makeRoom();
    await victim.service.start();
  },
};

const stepClockAhead: ServiceFault = {
  kills: 0,
  strike: ({ clock, service, random }) => clock.set(service, drawAheadMs(random)),
};

const stepClockBack: ServiceFault = {
  kills: 0,
  strike: ({ clock, service, random }) => clock.set(service, drawBackMs(random)),
};

export const serviceFaults = {
  killEngine,
  killService,
  killBoth,
  killAtStart,
  freezeEngine,
  freezeEngineLong,
  killServiceOfFrozenEngine,
  damageJournal,
  fillDisk,
  killEngineOnFullDisk,
  killServiceOnFullDisk,
  stepClockAhead,
  stepClockBack,
} as const;
export type ServiceFaultName = keyof typeof serviceFaults;

async function killServiceOf({ service, serverKilled }: Victim): Promise<void> {
  const engine = service.engineProcesses().at(-1) ?? 0;
  await service.kill('SIGKILL');
  serverKilled();
  await untilGone(engine);
}

function diskOf({ disk }: Victim): SmallDisk {
  if (!disk) throw new Error('the service has no disk of its own');
  return disk;
}

async function fillUntilRefused(victim: Victim): Promise<void> {
  const { traffic, admitMore } = victim;
  await diskOf(victim).fill();
  admitMore();
  const before = traffic.unavailable;
  const isRefusing = () => traffic.unavailable > before + 10;
  await waitUntil('senders to be refused because nothing can be stored', isRefusing);
}

/** Nobody helps the service up: it has to find out by itself. */
async function makeRoom(victim: Victim): Promise<void> {
  const { traffic, admitMore } = victim;
  await diskOf(victim).makeRoom();
  admitMore();
  const before = traffic.acknowledged;
  const isTaking = () => traffic.acknowledged > before + 10;
  await waitUntil('acknowledgements after room was made', isTaking);
}

async function runningEngine(service: ServiceProcess): Promise<number> {
  const newest = () => service.engineProcesses().at(-1) ?? 0;
  await waitUntil('an engine that runs', () => isAlive(newest()));
  return newest();
}

function untilAnotherEngine(service: ServiceProcess, before: number): Promise<void> {
  const isThere = () => service.engineProcesses().length > before;
  return waitUntil('another engine', isThere);
}

function untilGone(engine: number): Promise<void> {
  return waitUntil('the end of the engine', () => !isAlive(engine));
}
