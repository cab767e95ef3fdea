/**
 * Hundreds of viewers behind a faulty network, against a service that is killed, frozen, robbed of
 * its disk and of its clock. At the end every answer has to be the oracle's. Speaks to the service
 * over HTTP and by signals only. One seed plays the same, draws the same for the network and
 * strikes in the same order; what that meets inside the processes is up to the machine.
 */
import { Oracle, type Report } from '../simulation/oracle.ts';
import { type Random, seededRandom } from '../simulation/random.ts';
import { createToldWorld, type ToldWorld } from '../simulation/told-world.ts';
import { createWorld, type World } from '../simulation/world.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { waitUntil } from '../support/wait-until.ts';
import { wideBounds } from '../support/wide-bounds.ts';
import {
  drawAudienceQuestions,
  playNow,
  wrongAnswersOfAudience,
  wrongLive,
} from './audience-verdict.ts';
import { cast, castZones, drawViewers } from './cast.ts';
import { createFaultyNetwork, type Traffic } from './faulty-network.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { createLedgerTally } from './ledger-tally.ts';
import { type ServiceFaultName, serviceFaults } from './service-faults.ts';
import {
  askLedgers,
  drawQuestions,
  untilComplete,
  wrongAnswersTo,
  wrongDaysOfCareless,
  wrongLedgers,
} from './verdict.ts';
import { createWallClock, type WallClock } from './wall-clock.ts';

const patienceMs = 120_000;
const diskMegabytes = 512;
/** What is simulated is the service, not its limits. */
const limits = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  COLLECT_LIMIT_PER_MINUTE: '100000000',
  ...wideBounds,
};

export interface Plan {
  readonly seed: number;
  /** Struck in an order that the seed shuffles, all of them again and again. */
  readonly faults: readonly ServiceFaultName[];
  /** As soon as so many processes were killed, and each fault has struck, it ends. */
  readonly kills: number;
  readonly viewersAtFirst: number;
  readonly viewersPerFault: number;
  readonly questions: number;
  /** So many queries of the audience and a third as many of each curve, of each account. */
  readonly audienceQuestions: number;
  readonly say: (line: string) => void;
}

export interface Outcome {
  readonly kills: number;
  readonly viewers: number;
  readonly traffic: Readonly<Traffic>;
  readonly questions: number;
  /** What was not as it should be, in words; empty where all was. */
  readonly wrong: readonly string[];
}

/**
 * Fails where the service hangs or does not start; what it counts wrongly stands in the outcome.
 */
export async function simulate(plan: Plan): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const fillsDisk = plan.faults.some((name) => name.endsWith('Disk'));
  const disk = fillsDisk ? await mountSmallDisk(diskMegabytes) : undefined;
  stack.defer(async () => disk?.remove());
  const clock = stack.adopt(await createWallClock(), (one) => one.remove());
  const environment = { ...limits, ...clock.environment };
  const service = stack.adopt(await startServiceProcess(environment, disk), (one) => one.remove());
  const world = await createWorld(
    { url: service.url, addAccount: (zone) => addProcessAccount(service, zone) },
    castZones,
  );
  const told = await createToldWorld(world, cast.any.accounts);
  return await run(plan, { disk, clock, service, world, told });
}

interface Stage {
  readonly disk: SmallDisk | undefined;
  readonly clock: WallClock;
  readonly service: ServiceProcess;
  readonly world: World;
  readonly told: ToldWorld;
}

async function run(plan: Plan, stage: Stage): Promise<Outcome> {
  const { seed, viewersAtFirst, viewersPerFault, say } = plan;
  const { clock, service, world, told } = stage;
  const nowMs = Date.now();
  const random = seededRandom(seed);
  const tally = createLedgerTally();
  const network = createFaultyNetwork(world.url, tally);
  const careless = { sent: new Oracle(), acknowledged: new Oracle() };
  const logNumbers = await readLogNumbers(world);
  const viewers = drawViewers({ world, seed, random: random.fork(), nowMs, logNumbers });
  const oracle = {
    record(...reports: Report[]): void {
      world.oracle.record(...reports);
      told.record(...reports);
    },
  };
  const fleet = startFleet({ viewers, network, random: random.fork(), oracle, careless });
  const { traffic } = network;
  const victim = {
    ...stage,
    random: random.fork(),
    traffic,
    admitMore: () => fleet.admit(viewersPerFault),
    serviceKilled: tally.killed,
  };

  const strikeAll = async (): Promise<number> => {
    fleet.admit(viewersAtFirst);
    let kills = 0;
    for (const name of deckOf(plan, random.fork())) {
      fleet.admit(viewersPerFault);
      const goal = traffic.acknowledged + random.between(5, viewersPerFault);
      await waitUntil('acknowledgements', () => traffic.acknowledged >= goal, patienceMs);
      if (random.chance(0.5)) await askLedgers(world, tally);
      await serviceFaults[name].strike(victim);
      kills += serviceFaults[name].kills;
      say(`${String(kills).padStart(4)} kills; ${name.padEnd(26)} ${describe(fleet, traffic)}`);
    }
    await fleet.finish();
    await network.settle();
    return kills;
  };
  const kills = await strikeAll().catch((cause) => {
    throw new Error(['It got stuck', ...network.wrongAnswers].join('; '), { cause });
  });
  await clock.set(service, 0);
  await untilComplete(world);
  say(`All is acknowledged; ${describe(fleet, traffic)}`);
  const questions = drawQuestions(seed, plan.questions, nowMs);
  const ofAudience = drawAudienceQuestions(seed, plan.audienceQuestions, nowMs);
  const wrong = [...network.wrongAnswers, ...(await wrongAnswersTo(questions, world))];
  wrong.push(...(await wrongAnswersOfAudience(ofAudience, world, told)));
  wrong.push(...(await wrongDaysOfCareless(world, careless)));
  wrong.push(...(await wrongLedgers(world, tally)));
  await playNow(world, told);
  // And once more of what a start after a last kill finds on the disk.
  await serviceFaults.killService.strike(victim);
  await untilComplete(world);
  wrong.push(...(await wrongLive(world, told)));
  wrong.push(...(await wrongAnswersTo(firstOf(questions), world)));
  const again = { queries: firstOf(ofAudience.queries), curves: firstOf(ofAudience.curves) };
  wrong.push(...(await wrongAnswersOfAudience(again, world, told)));
  wrong.push(...(await wrongDaysOfCareless(world, careless)));
  return { kills: kills + 1, viewers: fleet.begun(), traffic, questions: questions.length, wrong };
}

function firstOf<Item>(items: readonly Item[]): Item[] {
  return items.slice(0, items.length / 4);
}

/** What players with a player log must send along, by videoKey. */
async function readLogNumbers({ url, accounts, publications }: World) {
  const owner = accounts[cast.late.account];
  // They write `uid` and `cs` themselves: what they report was all drawn beforehand.
  await fetch(`${url}/manage/v1/account`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-api-key': owner?.key ?? '' },
    body: JSON.stringify({ takesUnsealed: true }),
  });
  const own = publications.filter(({ account }) => account === owner);
  const numbers = own.map(async ({ videoKey }): Promise<[string, object]> => {
    const response = await fetch(`${url}/v1/player/stats/info.json?k=${videoKey}`);
    const { statsInfo } = (await response.json()) as { statsInfo: Record<string, unknown> };
    const { gid, pid, vid, plid } = statsInfo;
    return [videoKey, { gid, pid, vid, plid }];
  });
  return new Map(await Promise.all(numbers));
}

function* deckOf({ faults, kills }: Plan, random: Random): Generator<ServiceFaultName> {
  for (let killed = 0; killed < kills; ) {
    for (const name of random.shuffled(faults)) {
      yield name;
      killed += serviceFaults[name].kills;
    }
  }
}

function describe(fleet: Fleet, traffic: Traffic): string {
  const numbers = Object.entries(traffic).map(([name, count]) => `${name} ${count}`);
  return `viewers ${fleet.begun()} (${fleet.underWay()} under way), ${numbers.join(', ')}`;
}
