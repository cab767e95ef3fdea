/** Views that go on for ever: of more events or stretches than any player makes. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { besetWithLines, type SendLines } from './beset-with-lines.ts';
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
import { addVictim, aroundToday, nothing, playbackOf } from './victim.ts';

const perRequest = 1_000;
const eventsOfView = 20_000;
/** Each may report 3,600 events of a view at once: all of one of 20,000, and not of 60,000. */
const addresses = 7;
const shareOfAddress = 3_600;

export const endlessEvents: Attack = {
  name: 'endless-events',
  does: 'CMCD from seven addresses: one view of 60,000 events, then 20 views of 20,000, then 20 requests at once that each name these and 980 others',
  wanted:
    'of the first view a share for each address, memory bounded; players beside them are answered within 250 ms (p99), and counted',
  seatsBystanders: true,
  strike: (stage) =>
    besetWithLines(stage, {
      connections: 3,
      addresses,
      send: (send) => sendEvents(send, stage.isLong),
      judge(answers) {
        const { 200: stored = 0 } = statusesOf(answers);
        const accepted = acceptedOf(answers);
        const refused = stored * perRequest - accepted;
        // Two a second come back while it lasts.
        const most = stage.isLong ? 60_000 - addresses * shareOfAddress : 0;
        return wrongIn({
          [`${accepted} events of ${stored} requests accepted`]:
            stored === 0 || refused > most || (stage.isLong && refused < most / 2),
        });
      },
    }),
};

async function sendEvents(send: SendLines, isLong: boolean) {
  const startMs = Date.now() - 60_000;
  const lineOf = (sid: string, sn: number) =>
    `e=t,sid="${sid}",sn=${sn},sta=${sn % 2 === 0 ? 'p' : 'a'},ts=${startMs + sn},v=2`;
  const requestsOf = (sid: string, events: number) =>
    Array.from({ length: events / perRequest }, (_, request) =>
      Array.from({ length: perRequest }, (_, index) => lineOf(sid, request * perRequest + index)),
    );
  const short = isLong ? 1 : 0.1;
  const large = Array.from({ length: 20 * short }, () => randomUUID());
  const others = Array.from({ length: perRequest - large.length }, () => randomUUID());
  const ofAll = [...large, ...others].map((sid) => lineOf(sid, eventsOfView));
  return [
    ...(await all(requestsOf(randomUUID(), 60_000 * short), 20, send)),
    ...(await all(
      large.flatMap((sid) => requestsOf(sid, eventsOfView * short)),
      20,
      send,
    )),
    ...(await all(Array(20 * short).fill(ofAll), 20, send)),
  ];
}

/** Who watches behind one address: less than may begin at once there, more than half of it. */
const classOf = 400;
const classAgent =
  'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/18.0 Mobile/15E148 Safari/604.1';
const classSystem = 'iPadOS';
/** What one address may begin while the attack lasts, each of a millisecond. */
const mostSeconds = 1_000;

export const endlessStretches: Attack = {
  name: 'endless-stretches',
  does: 'One view of 600,000 stretches of a millisecond, while a class of 400 watches behind one address',
  wanted: 'the class is not forgotten, and counts on; those beside it too',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const { videoKey } = victim;
    const school = stranger(target, { address: stage.address() });
    const pupils = Array.from({ length: classOf }, () => madeUpBeacon(videoKey, 1_000));
    const headers = { 'content-type': 'text/plain', 'user-agent': classAgent };
    const report = (playMs: number) =>
      school.send({
        method: 'POST',
        path: '/collect/v1/beacons',
        headers,
        body: JSON.stringify({ beacons: pupils.map((pupil) => ({ ...pupil, playMs })) }),
      });
    await report(1_000);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 4 });
    const view = madeUpBeacon(videoKey, 1);
    const requests = stage.isLong ? 600 : 6;
    const answers = await all(Array(requests).keys(), 4, (request) =>
      one.report(
        Array.from({ length: perRequest }, (_, index) => ({
          ...view,
          stretch: request * perRequest + index,
        })),
      ),
    );
    one.close();
    // Three times as many views as may begin at once, if they were taken for new ones.
    for (const playMs of [2_000, 3_000, 4_000]) await report(playMs);
    school.close();
    const seen = await bystanders.leave();
    const playback = await playbackOf(target, victim);
    const ofClass = playback.get(classSystem) ?? nothing;
    const ofStranger = playback.get(strangersSystem) ?? nothing;
    const all4 = classOf * 4;
    return {
      measured:
        `the class: ${ofClass.plays} plays, ${ofClass.seconds} s of ${all4}; the stranger: ` +
        `${ofStranger.plays} plays, ${ofStranger.seconds} s; ${JSON.stringify(statusesOf(answers))}; ` +
        seen.measured,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          [`of the class ${JSON.stringify(ofClass)} counted`]:
            ofClass.plays !== classOf || ofClass.seconds !== all4,
          [`of the stranger ${JSON.stringify(ofStranger)}`]:
            ofStranger.plays !== 1 || ofStranger.seconds === 0 || ofStranger.seconds > mostSeconds,
        }),
      ],
      slow: seen.slow,
    };
  },
};

const megabyte = 1_000_000;
/** As `USUAL_MB_BY_*` and `SET_APART_MB_PER_DAY` count them. */
const bytesOfRow = { usual: 300, apart: 100 };
/** A 300th of the usual bounds, and more: a day's flood within a minute. */
const dayMb = { address: 1, account: 3, apart: 1 };
const rowsOf = (mb: number, bytes: number) => Math.ceil((mb * megabyte) / bytes);

export const floodedDay: Attack = {
  name: 'flooded-day',
  does: 'New stretches from eight addresses, each in the rows that a day may have many times over, with bounds scaled down',
  wanted:
    'what counts and what is set apart stay within the bytes of an address, an account and a day; the rest is refused, and the ledger says so',
  async strike(stage): Promise<Struck> {
    const environment = {
      USUAL_MB_BY_ADDRESS: String(dayMb.address),
      USUAL_MB_BY_ACCOUNT: String(dayMb.account),
      SET_APART_MB_PER_DAY: String(dayMb.apart),
    };
    const target = await stage.start({ environment });
    const victim = await addVictim(target);
    const beforeMb = await storedMb(target);
    const senders = Array.from({ length: 8 }, () => stranger(target, { address: stage.address() }));
    const views = stage.isLong ? 40 : 5;
    for (const sender of senders) {
      await all(Array(views).keys(), 2, () => {
        const first = madeUpBeacon(victim.videoKey, 10);
        return sender.report(
          Array.from({ length: perRequest }, (_, stretch) => ({ ...first, stretch })),
        );
      });
      sender.close();
    }
    const sent = senders.length * views * perRequest;
    await playbackOf(target, victim);
    const today = new Date().toISOString().slice(0, 10);
    const days = await victim.client.manage.ledger({ sdate: aroundToday().sdate, edate: today });
    const sum = (count: (day: (typeof days)[number]) => number) =>
      days.reduce((total, day) => total + count(day), 0);
    const counted = sum((day) => day.counted);
    const apart = sum(({ setApart }) => setApart.ADDRESS + setApart.ACCOUNT);
    const refused = sum((day) => day.refused.TOO_MUCH_APART);
    const grownMb = (await storedMb(target)) - beforeMb;
    // While it lasts a little comes back.
    const most = {
      counted: 1.1 * rowsOf(dayMb.account, bytesOfRow.usual),
      apart: rowsOf(dayMb.apart, bytesOfRow.apart),
    };
    return {
      measured:
        `${sent} stretches: ${counted} counted, ${apart} set apart, ${refused} refused; ` +
        `${grownMb.toFixed(1)} MB more in the store`,
      wrong: wrongIn({
        [`${counted} counted`]: counted === 0 || counted > most.counted,
        [`${apart} set apart`]: apart === 0 || apart > most.apart,
        'the ledger has not all of them': counted + apart + refused !== sent,
        [`${grownMb.toFixed(1)} MB more`]: grownMb > dayMb.account + dayMb.apart,
      }),
    };
  },
};

/** Of the engine on disk; what it writes about itself included. */
async function storedMb({ dataFolder }: Target): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sb', join(dataFolder, 'engine')]);
  return Number.parseInt(stdout, 10) / megabyte;
}
