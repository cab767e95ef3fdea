/** Playback that never was: few requests, each as much as the wire allows. */
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import {
  acceptedOf,
  all,
  madeUpBeacon,
  statusesOf,
  stranger,
  strangersSystem,
} from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim, nothing, type Playback, playbackOf, type Victim } from './victim.ts';

const beaconsPerRequest = 1_000;
const hourSeconds = 3_600;
const dayMs = 86_400_000;
const answered = new Set(['200', '429', '503']);
/** What the service and its engine take together under full load. */
const mostResidentMb = 1_000;

/** New views of one address that may count: 600 at once and 200 a minute, for three minutes. */
const mostFromOneAddress = 1_200;

/** Of the answers, once a flood is over. */
const mostBehindMs = 5_000;
const verdictWithinMs = 30_000;

interface Flood {
  readonly stage: Stage;
  readonly target: Target;
  readonly victim: Victim;
  readonly bodies: readonly (readonly object[])[];
  readonly connections: number;
}

/** Sends all, with bystanders beside; what was counted of the stranger. */
async function flood({ stage, target, victim, bodies, connections }: Flood) {
  const bystanders = await seatBystanders(stage, target, victim);
  const one = stranger(target, { address: stage.address(), connections });
  const answers = await all(bodies, connections, (beacons) => one.report(beacons));
  one.close();
  const endedAt = performance.now();
  const following = playbackOf(target, victim).then(() => performance.now() - endedAt);
  const seen = await bystanders.leave();
  const behindMs = Math.round(await following);
  const counted = (await playbackOf(target, victim)).get(strangersSystem) ?? nothing;
  const statuses = statusesOf(answers);
  const unexpected = Object.keys(statuses).filter((status) => !answered.has(status));
  return {
    seen,
    counted,
    statuses: `${JSON.stringify(statuses)}; answers ${behindMs} ms behind it`,
    slow: [...seen.slow, ...wrongIn({ [`${behindMs} ms behind`]: behindMs > mostBehindMs })],
    wrong: [
      ...seen.wrong,
      ...wrongIn({
        [`answers ${unexpected}`]: unexpected.length > 0,
        'nothing was counted': counted.plays === 0,
        [`${Math.round(seen.mostMb)} MB`]: seen.mostMb > mostResidentMb,
      }),
    ],
  };
}

function hoursOf({ seconds }: Playback): string {
  return `${(seconds / hourSeconds).toLocaleString('en-US', { maximumFractionDigits: 1 })} h`;
}

export const longBeacons: Attack = {
  name: 'long-beacons',
  does: '40 requests at once, each of 1,000 beacons that report 24 hours: 97 slots each',
  wanted:
    'players beside it are answered within 250 ms (p99) and never refused, answers follow within 5 s',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const requests = stage.isLong ? 40 : 2;
    const length = stage.isLong ? beaconsPerRequest : 400;
    const bodies = Array.from({ length: requests }, () =>
      Array.from({ length }, () => madeUpBeacon(victim.videoKey, dayMs)),
    );
    const { seen, counted, statuses, slow, wrong } = await flood({
      ...{ stage, target, victim, bodies, connections: requests },
    });
    return {
      measured: `${seen.measured}; ${statuses}; ${counted.plays} plays, ${hoursOf(counted)} counted`,
      wrong: [
        ...wrong,
        ...wrongIn({
          [`${counted.plays} plays`]: counted.plays > mostFromOneAddress,
          // Of a day as long as ten films count: more than three hours.
          [`only ${hoursOf(counted)}`]: counted.seconds < counted.plays * hourSeconds,
        }),
      ],
      slow,
    };
  },
};

export const oneSlot: Attack = {
  name: 'one-slot',
  does: 'One view on a clip of 12 s: 1,000 stretches of 15 minutes that all began together',
  wanted:
    'at most the time that the slots have: 30 minutes, and all beyond is set apart or refused',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const clipMs = 12_000;
    const victim = await addVictim(target, { filmMs: clipMs });
    const watched = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, watched);
    const one = stranger(target, { address: stage.address() });
    const stretchMs = 900_000;
    const first = madeUpBeacon(victim.videoKey, stretchMs);
    const stretches = Array.from({ length: beaconsPerRequest }, (_, stretch) => ({
      ...first,
      stretch,
    }));
    const answer = await one.report(stretches);
    one.close();
    const seen = await bystanders.leave();
    const counted = (await playbackOf(target, victim)).get(strangersSystem) ?? nothing;
    const mostSeconds = (2 * stretchMs) / 1_000;
    const accepted = acceptedOf([answer]);
    return {
      measured: `${answer.status}; ${counted.plays} play, ${hoursOf(counted)} counted; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          [`${counted.seconds} s counted`]: counted.seconds > mostSeconds,
          [`${counted.plays} plays`]: counted.plays !== 1,
          [`only ${accepted} accepted`]: accepted !== beaconsPerRequest,
        }),
      ],
      slow: seen.slow,
    };
  },
};

export const manyViews: Attack = {
  name: 'many-views',
  does: '1,000 new views in each of 10 requests, from one address, of a video that others watch',
  wanted:
    'counted only as far as is usual for one address, the rest set apart, which an operator takes ' +
    'in and out again exactly; those who watch count on',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const requests = stage.isLong ? 10 : 2;
    const sent = requests * beaconsPerRequest;
    const bodies = Array.from({ length: requests }, () =>
      Array.from({ length: beaconsPerRequest }, () => madeUpBeacon(victim.videoKey, 30_000)),
    );
    const known = new Set(await suspectsOf(target, victim));
    const { seen, counted, statuses, slow, wrong } = await flood({
      ...{ stage, target, victim, bodies, connections: 1 },
    });
    const suspects = (await suspectsOf(target, victim)).filter((one) => !known.has(one));
    const accepted = await decide(target, victim, 'accept', suspects, sent);
    const refused = await decide(target, victim, 'refuse', suspects, counted.plays);
    return {
      measured:
        `${counted.plays} of ${sent} plays counted, ${accepted} when accepted, ${refused} when ` +
        `refused again; ${statuses}; ${seen.measured}`,
      wrong: [
        ...wrong,
        ...wrongIn({
          [`${counted.plays} plays`]: counted.plays > mostFromOneAddress,
          [`accepted: ${accepted}`]: accepted !== sent,
          [`refused: ${refused}`]: refused !== counted.plays,
        }),
      ],
      slow,
    };
  },
};

/** None for a release that sets nothing apart. */
async function suspectsOf(target: Target, { accountId }: Victim): Promise<string[]> {
  const listed = await target
    .run('suspects', 'list', '--account', String(accountId))
    .catch(() => ({ suspectList: [] }));
  return (listed.suspectList as { suspect: string }[]).map(({ suspect }) => suspect);
}

/** The stranger's plays after the verdict: as wanted, or what they are in the end. */
async function decide(
  target: Target,
  victim: Victim,
  verb: 'accept' | 'refuse',
  suspects: readonly string[],
  wanted: number,
): Promise<number> {
  if (suspects.length > 0) {
    await target.run('suspects', verb, '--account', String(victim.accountId), ...suspects);
  }
  let plays = 0;
  const isDone = async () => {
    plays = ((await playbackOf(target, victim)).get(strangersSystem) ?? nothing).plays;
    return plays === wanted;
  };
  await waitUntil('the verdict to be followed', isDone, verdictWithinMs).catch(() => {});
  return plays;
}
