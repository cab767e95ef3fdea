/** CMCD: what makes one line cost much: numbers that events share, and tokens. */
import { randomUUID } from 'node:crypto';
import { type Attack, wrongIn } from './attack.ts';
import { besetWithLines, type SendLines } from './beset-with-lines.ts';
import { all } from './stranger.ts';

const eventsOfView = 990;
/** Just few enough to be worked out. */
const eventsOfSmallView = 300;

export const sharedNumbers: Attack = {
  name: 'shared-numbers',
  does: 'CMCD: 40 views of 990 events and 40 of 300, each with two numbers alone, then requests of 80 lines at once that each name all of them',
  wanted: 'players beside them are answered within 250 ms (p99), and counted',
  seatsBystanders: true,
  strike: (stage) =>
    besetWithLines(stage, { connections: 3, send: (send) => sendAlike(send, stage.isLong) }),
};

async function sendAlike(send: SendLines, isLong: boolean) {
  const startMs = Date.now() - 60_000;
  const lineOf = (sid: string, at: number) =>
    `e=ps,sid="${sid}",sn=${at % 2},sta=p,ts=${startMs + at},v=2`;
  const viewsOf = (events: number) =>
    Array.from({ length: isLong ? 40 : 5 }, () => ({ sid: randomUUID(), events }));
  const views = [...viewsOf(eventsOfView), ...viewsOf(eventsOfSmallView)];
  const before = views.map(({ sid, events }) =>
    Array.from({ length: events }, (_, at) => lineOf(sid, at)),
  );
  const requests = Array.from({ length: isLong ? 60 : 3 }, (_, request) =>
    views.map(({ sid, events }) => lineOf(sid, events + (request % 10))),
  );
  return [...(await all(before, 3, send)), ...(await all(requests, 3, send))];
}

export const costlyLines: Attack = {
  name: 'costly-lines',
  does: 'CMCD: 3,000 bodies of 1 MB: one line, or 250 lines of 4,000 characters, each with a token that never came before',
  wanted: 'each line rejected, and none of them kept; nobody refused',
  seatsBystanders: true,
  strike: (stage) =>
    besetWithLines(stage, {
      connections: 4,
      send: (send) =>
        all(Array(stage.isLong ? 3_000 : 40).keys(), 4, (number) =>
          send(number % 2 === 0 ? [tokenOf(1_048_000)] : shortTokens()),
        ),
      judge(answers, target) {
        const taken = answers.filter(
          ({ status, text }) => status === 200 && !text.includes('"accepted":0'),
        );
        return wrongIn({
          [`of ${taken.length} bodies lines were accepted`]: taken.length > 0,
          'the service ended': !target.isRunning(),
        });
      },
    }),
};

const tokenOf = (length: number) => `a=${'A'.repeat(length)}${randomUUID()}`;
const shortTokens = () => Array.from({ length: 250 }, () => tokenOf(4_000));
