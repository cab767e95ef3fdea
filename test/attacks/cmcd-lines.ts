/** CMCD: what makes one line cost much: numbers that events share, and tokens. */
import { randomUUID } from 'node:crypto';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { all, type Stranger, statusesOf, stranger } from './stranger.ts';
import { addVictim, type Victim } from './victim.ts';

const eventsOfView = 990;
/** Just few enough to be worked out. */
const eventsOfSmallView = 300;
const expected = new Set(['200', '429', '503']);

export const sharedNumbers: Attack = {
  name: 'shared-numbers',
  does: 'CMCD: 40 views of 990 events and 40 of 300, each with two numbers alone, then requests of 80 lines at once that each name all of them',
  wanted: 'players beside them are answered within 250 ms (p99), and counted',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 3 });
    const { statuses, wrong } = await sendAlike(stage, one, victim);
    one.close();
    const seen = await bystanders.leave();
    return {
      measured: `${JSON.stringify(statuses)}; ${seen.measured}`,
      wrong: [...seen.wrong, ...wrong],
      slow: seen.slow,
    };
  },
};

async function sendAlike({ isLong }: Stage, one: Stranger, { videoKey }: Victim) {
  const startMs = Date.now() - 60_000;
  const lineOf = (sid: string, at: number) =>
    `e=ps,sid="${sid}",sn=${at % 2},sta=p,ts=${startMs + at},v=2`;
  const send = (lines: readonly string[]) => sendLines(one, videoKey, lines);
  const viewsOf = (events: number) =>
    Array.from({ length: isLong ? 40 : 5 }, () => ({ sid: randomUUID(), events }));
  const views = [...viewsOf(eventsOfView), ...viewsOf(eventsOfSmallView)];
  const before = views.map(({ sid, events }) =>
    Array.from({ length: events }, (_, at) => lineOf(sid, at)),
  );
  const requests = Array.from({ length: isLong ? 60 : 3 }, (_, request) =>
    views.map(({ sid, events }) => lineOf(sid, events + (request % 10))),
  );
  const answers = [...(await all(before, 3, send)), ...(await all(requests, 3, send))];
  return judged(statusesOf(answers));
}

export const costlyLines: Attack = {
  name: 'costly-lines',
  does: 'CMCD: 3,000 bodies of 1 MB: one line, or 250 lines of 4,000 characters, each with a token that never came before',
  wanted: 'each line rejected, and none of them kept; nobody refused',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 4 });
    const answers = await all(Array(stage.isLong ? 3_000 : 40).keys(), 4, (number) =>
      sendLines(one, victim.videoKey, number % 2 === 0 ? [tokenOf(1_048_000)] : shortTokens()),
    );
    one.close();
    const { statuses, wrong } = judged(statusesOf(answers));
    const taken = answers.filter(
      ({ status, text }) => status === 200 && !text.includes('"accepted":0'),
    );
    const seen = await bystanders.leave();
    return {
      measured: `${JSON.stringify(statuses)}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrong,
        ...wrongIn({
          [`of ${taken.length} bodies lines were accepted`]: taken.length > 0,
          'the service ended': !target.isRunning(),
        }),
      ],
      slow: seen.slow,
    };
  },
};

const tokenOf = (length: number) => `a=${'A'.repeat(length)}${randomUUID()}`;
const shortTokens = () => Array.from({ length: 250 }, () => tokenOf(4_000));

function sendLines(one: Stranger, videoKey: string, lines: readonly string[]) {
  return one.send({
    method: 'POST',
    path: `/collect/v1/cmcd/${videoKey}`,
    headers: { 'content-type': 'application/cmcd' },
    body: lines.join('\n'),
  });
}

function judged(statuses: Record<string, number>) {
  const unexpected = Object.keys(statuses).filter((status) => !expected.has(status));
  return { statuses, wrong: wrongIn({ [`answers ${unexpected}`]: unexpected.length > 0 }) };
}
