/**
 * Hundreds of viewers behind a faulty network, against a stage whose processes are killed, frozen,
 * robbed of their disk and of their clock. At the end every answer has to be the oracle's. Speaks
 * to the service over HTTP and by signals only. One seed plays the same, draws the same for the
 * network and strikes in the same order; what that meets inside the processes is up to the machine.
 */
import { Oracle } from '../simulation/oracle.ts';
import { type Random, seededRandom } from '../simulation/random.ts';
import { createReportedWorld, type ReportedWorld } from '../simulation/reported-world.ts';
import { createWorld, type World } from '../simulation/world.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type AskedMeanwhile, askMeanwhile } from './ask-meanwhile.ts';
import {
  type AudienceQuestions,
  drawAudienceQuestions,
  playNow,
  wrongAnswersOfAudience,
  wrongLive,
} from './audience-verdict.ts';
import { cast, castZones, drawViewers, type Viewer } from './cast.ts';
import { createFaultyNetwork, type FaultyNetwork, type Traffic } from './faulty-network.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { createLedgerTally, type LedgerTally } from './ledger-tally.ts';
import { createPlayTally } from './play-tally.ts';
import type { Scene } from './scenes.ts';
import type { Meanwhile, Stage } from './stage.ts';
import {
  askLedgers,
  type CarelessOracles,
  drawQuestions,
  untilComplete,
  wholeAccounts,
  wrongAnswersTo,
  wrongDaysOfCareless,
  wrongLedgers,
} from './verdict.ts';

export interface Plan {
  readonly seed: number;
  /** Struck in an order that the seed shuffles, all of them again and again. */
  readonly faults: readonly string[];
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
  /** What was asked while everything failed. */
  readonly meanwhile: Pick<AskedMeanwhile, 'answered' | 'unanswered'>;
  /** What was not as it should be, in words; empty where all was. */
  readonly wrong: readonly string[];
}

/**
 * Fails where the service hangs or does not start; what it counts wrongly stands in the outcome.
 */
export async function simulate(scene: Pick<Scene, 'open'>, plan: Plan): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.adopt(await scene.open(plan.faults), (one) => one.remove());
  // Until it is settled, within two seconds, a stretch told with two beginnings may count twice.
  const world = await createWorld(stage.site, castZones, { correctsClocks: false });
  const reported = await createReportedWorld(world, cast.any.accounts);
  return await run(plan, { stage, world, reported });
}

interface Played {
  readonly stage: Stage<string>;
  readonly world: World;
  readonly reported: ReportedWorld;
}

async function run(plan: Plan, played: Played): Promise<Outcome> {
  const { seed, say } = plan;
  const { stage, world } = played;
  const nowMs = Date.now();
  const random = seededRandom(seed);
  const ofWorkers = stage.servers.filter(({ hasWorkers }) => hasWorkers);
  const tally = createLedgerTally(new Set(ofWorkers.map(({ url }) => new URL(url).host)));
  const network = createFaultyNetwork(world.url, tally);
  const { traffic } = network;
  const plays = createPlayTally();
  const careless = { sent: new Oracle(), acknowledged: new Oracle() };
  const logNumbers = await readLogNumbers(world);
  const viewers = drawViewers({ world, seed, random: random.fork(), nowMs, logNumbers });
  const fleet = startFleet({
    ...{ viewers, network, random: random.fork() },
    begins(viewer) {
      recordIn(viewer, { ...played, careless });
      plays.sent(viewer.reports);
    },
    areAcknowledged: plays.acknowledged,
    isAcknowledged({ reports, isCareless }) {
      if (isCareless) careless.acknowledged.record(...reports);
    },
  });
  const around = {
    random: random.fork(),
    traffic,
    admitMore: () => fleet.admit(plan.viewersPerFault),
    serverKilled: (server = '') => tally.killed(server),
  };
  const asking = askMeanwhile(world, plays);
  const struck = { stage, around, fleet, network, tally, world };
  const sayWhatWasWrong = (cause: unknown): never => {
    const known = [...network.wrongAnswers, ...asking.wrong];
    const sofar = describe(fleet, traffic);
    throw new Error([`It got stuck: ${sofar}`, ...known].join('\n'), { cause });
  };
  const kills = await strikeAll(plan, struck).catch(sayWhatWasWrong);
  await untilComplete(world, stage.servers.length).catch(sayWhatWasWrong);
  say(`All is acknowledged; ${describe(fleet, traffic)}`);
  const questions = drawQuestions(seed, plan.questions, nowMs);
  const ofAudience = drawAudienceQuestions(seed, plan.audienceQuestions, nowMs);
  const wrong = [...network.wrongAnswers];
  wrong.push(...(await wrongAnswersTo(questions, world)));
  wrong.push(...(await wrongAnswersOfAudience(ofAudience, world, played.reported)));
  wrong.push(...(await wrongDaysOfCareless(world, careless)));
  // Each server writes what it has counted when it is asked.
  for (let server = 1; server < stage.servers.length; server += 1) await askLedgers(world, tally);
  wrong.push(...(await wrongLedgers(world, tally)));
  await playNow(world, played.reported, plays);
  // And once more of what a start after a last kill finds on the disk.
  const last = faultOf(stage, stage.lastFault);
  await last.strike(around);
  await untilComplete(world, stage.servers.length).catch(sayWhatWasWrong);
  const { wrong: wrongMeanwhile, ...meanwhile } = await asking.stop();
  wrong.unshift(...wrongMeanwhile);
  wrong.push(...(await wrongLive(world, played.reported)));
  wrong.push(...(await wrongAnswersTo(firstOf(questions), world)));
  const again: AudienceQuestions = {
    queries: firstOf(ofAudience.queries),
    curves: firstOf(ofAudience.curves),
  };
  wrong.push(...(await wrongAnswersOfAudience(again, world, played.reported)));
  for (const { url } of stage.servers) {
    const ofServer = { ...world, url };
    const found = [
      ...(await wrongAnswersTo(wholeAccounts(nowMs), ofServer)),
      ...(await wrongDaysOfCareless(ofServer, careless)),
    ];
    wrong.push(...found.map((line) => `${url}: ${line}`));
  }
  const counts = { viewers: fleet.begun(), traffic, questions: questions.length, meanwhile };
  return { kills: kills + last.kills, ...counts, wrong };
}

interface Struck {
  readonly stage: Stage<string>;
  readonly around: Meanwhile;
  readonly fleet: Fleet;
  readonly network: FaultyNetwork;
  readonly tally: LedgerTally;
  readonly world: World;
}

/** Resolves to the number of kills when all viewers have ended. */
async function strikeAll(plan: Plan, struck: Struck): Promise<number> {
  const { stage, around, fleet, network, tally, world } = struck;
  const { random, traffic } = around;
  const { viewersPerFault, say } = plan;
  fleet.admit(plan.viewersAtFirst);
  // What is lost shows only in what is certain.
  const areMany = () => fleet.ended() >= plan.viewersAtFirst / 2;
  await waitUntil('many viewers to end', areMany);
  let kills = 0;
  for (const name of deckOf(plan, stage, random.fork())) {
    fleet.admit(viewersPerFault);
    const goal = traffic.acknowledged + random.between(5, viewersPerFault);
    await waitUntil('acknowledgements', () => traffic.acknowledged >= goal);
    if (random.chance(0.5)) await askLedgers(world, tally);
    const fault = faultOf(stage, name);
    await fault.strike(around);
    kills += fault.kills;
    const sofar = describe(fleet, network.traffic);
    say(`${String(kills).padStart(4)} kills; ${name.padEnd(26)} ${sofar}`);
  }
  // While a clock is behind, what it would refuse for good is put off.
  await stage.setClocksRight();
  await fleet.finish();
  await network.settle();
  return kills;
}

/** The oracles hear of a viewer's reports. */
function recordIn(
  { reports, waits = [], isCareless }: Viewer,
  { world, reported, careless }: Pick<Played, 'world' | 'reported'> & { careless: CarelessOracles },
): void {
  if (isCareless) {
    careless.sent.record(...reports);
  } else {
    world.oracle.record(...reports);
    reported.record(...reports, ...waits);
  }
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

function* deckOf({ faults, kills }: Plan, stage: Stage<string>, random: Random): Generator<string> {
  for (let killed = 0; killed < kills; ) {
    for (const name of random.shuffled(faults)) {
      yield name;
      killed += faultOf(stage, name).kills;
    }
  }
}

function faultOf({ faults }: Stage<string>, name: string) {
  const fault = faults[name];
  if (!fault) throw new Error(`This stage knows no ${name}`);
  return fault;
}

function describe(fleet: Fleet, traffic: Traffic): string {
  const numbers = Object.entries(traffic).map(([name, count]) => `${name} ${count}`);
  return `viewers ${fleet.begun()} (${fleet.underWay()} under way), ${numbers.join(', ')}`;
}
