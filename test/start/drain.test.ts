/** Stopping drains: what is under way is answered, and what is acknowledged is kept. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { StatisticAnswer } from '../../src/wire/questions/statistics-messages.ts';
import { isAlive, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const day = new Date().toISOString().slice(0, 10);
const question = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${day}`;
/** What an account may have under way, and one more. */
const mostUnderWay = 8;
const questions = mostUnderWay + 1;
/** So that the test says what it waited for. */
const longestWaitMs = 120_000;

test('a beacon half-sent and questions under way at SIGTERM are answered', async () => {
  const service = await startServiceProcess();
  onTestFinished(() => service.remove());
  const ask = () => fetch(service.url + question, { headers: { 'x-api-key': service.key } });
  const plays = async () => {
    const { data } = (await (await ask()).json()) as StatisticAnswer;
    return data.list[0]?.videoCount;
  };
  // The first of a day asks the store which values the day has.
  const first = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    body: beaconOf(service, 'first'),
  });
  expect(await first.json()).toEqual({ accepted: 1, rejected: [] });
  await expect.poll(plays).toBe('1');

  const half = await sendHalf(service, beaconOf(service, 'late'));
  const never = await sendHalf(service, beaconOf(service, 'never'));
  onTestFinished(() => {
    for (const { socket } of [half, never]) socket.destroy();
  });
  const [engine = 0] = service.engineProcesses();
  process.kill(engine, 'SIGSTOP');
  // Who is stopped cannot see that the service is gone.
  onTestFinished(() => void (isAlive(engine) && process.kill(engine, 'SIGKILL')));
  const asked = Array.from({ length: questions }, ask);
  let answered = 0;
  const noteAnswer = () => {
    answered += 1;
  };
  for (const one of asked) one.then(noteAnswer, noteAnswer);
  // As one waits for its turn, the others have had theirs.
  await waitUntil(
    'the questions to be under way',
    async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      const waiting = Number(/^playmeter_questions_waiting (\d+)$/m.exec(metrics)?.[1]);
      // One that is answered already leaves its place, and shows below why it was.
      return waiting === questions - mostUnderWay - answered;
    },
    longestWaitMs,
  );
  const ended = service.kill('SIGTERM');
  await waitUntil('it to stop', () => service.log().join('').includes('"msg":"stopping"'));

  // In the three seconds that senders are given.
  half.socket.write(`${half.rest}GET /healthz HTTP/1.1\r\nhost: service\r\n\r\n`);
  const [stored = '', next = ''] = (await half.answer).split(/(?=HTTP\/1\.1 503)/);
  expect(stored).toMatch(/^HTTP\/1\.1 200 .*{"accepted":1,"rejected":\[\]}/s);
  // Whoever asks anew is told to come back, and where the answer comes from.
  expect(next).toMatch(/retry-after: 2\r\n/i);
  expect(next).toContain('"code":"UNAVAILABLE"');
  // Nobody waits for a sender who never goes on, but for the questions, however late they are.
  expect(await never.answer).toBe('');
  process.kill(engine, 'SIGCONT');
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(Array(questions).fill(200));
  expect(await ended).toBe(0);

  await service.start();
  // Nothing was left in the journal.
  expect(service.log().join('')).not.toContain('recovered what the last run left');
  await expect.poll(plays).toBe('2');
});

function beaconOf({ pageUrl }: ServiceProcess, view: string): string {
  const [, videoKey = ''] = /\/watch\/(.+)/.exec(pageUrl) ?? [];
  const at = new Date().toISOString();
  return JSON.stringify({ beacons: [{ view, stretch: 0, playMs: 1_000, videoKey, at }] });
}

interface HalfSent {
  readonly socket: Socket;
  readonly rest: string;
  /** What comes until the service closes the connection. */
  readonly answer: Promise<string>;
}

/** Resolves when the service reads the body, half of which was sent. */
async function sendHalf({ url }: ServiceProcess, body: string): Promise<HalfSent> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  const closed = once(socket, 'close');
  const head = [
    'POST /collect/v1/beacons HTTP/1.1',
    ...['host: service', 'content-type: text/plain', 'expect: 100-continue'],
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await waitUntil('the service to ask for the body', () => text.startsWith('HTTP/1.1 100 '));
  text = '';
  const half = Math.floor(body.length / 2);
  socket.write(body.slice(0, half));
  return { socket, rest: body.slice(half), answer: closed.then(() => text) };
}
