/** Views that go on for ever: of more events or stretches than any player makes. */
import { randomUUID } from 'node:crypto';
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
import { addVictim, nothing, playbackOf } from './victim.ts';

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
