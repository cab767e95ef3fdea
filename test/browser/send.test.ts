/** What an answer of the server means to a sender, with real requests. */
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../client/src/sender/clock.ts';
import { send } from '../../client/src/sender/send.ts';
import { createServerClock, type ServerClock } from '../../client/src/sender/server-clock.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';

let server: LocalServer | undefined;
afterEach(() => server?.close());

const sendTo = (url: string, serverClock: ServerClock) =>
  send(
    { post: (body) => fetch(url, { method: 'POST', body }), refused() {}, failed() {} },
    ...([[], serverClock, systemClock] as const),
  );

/** Sends to a server that answers so. */
async function answered(status: number, headers: Record<string, string>, body = '{"rejected":[]}') {
  server = await startLocalServer((_, response) => {
    response.writeHead(status, headers).end(body);
  });
  const clock = createServerClock(systemClock);
  const retryAfterMs = await sendTo(server.url, clock);
  return { retryAfterMs, isClockKnown: clock.offsetMs() !== undefined };
}

test.each([
  { headers: {}, retryAfterMs: 0 },
  { headers: { 'retry-after': '7' }, retryAfterMs: 7_000 },
  { headers: { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, retryAfterMs: 0 },
  { headers: { 'retry-after': 'soon' }, retryAfterMs: 0 },
  { headers: { 'retry-after': '3600' }, retryAfterMs: 3_600_000 },
  { headers: { 'retry-after': '3601' }, retryAfterMs: 3_600_000 },
])('$headers is a wait of $retryAfterMs ms', async ({ headers, retryAfterMs }) => {
  expect(await answered(503, headers)).toEqual({ retryAfterMs, isClockKnown: false });
});

test.each([
  { status: 200, retryAfterMs: undefined },
  { status: 400, retryAfterMs: undefined },
  { status: 429, retryAfterMs: 0 },
  { status: 499, retryAfterMs: undefined },
  { status: 500, retryAfterMs: 0 },
])('after $status: $retryAfterMs', async ({ status, retryAfterMs }) => {
  const answer = await answered(status, { 'server-time': '1790000000000' });
  expect(answer).toEqual({ retryAfterMs, isClockKnown: true });
});

test.each([204, 302, 400, 401, 403, 404, 408, 425, 502])(
  'a %d that is not the answer of the server itself refuses nothing, and tells no time',
  async (status) => {
    expect(await answered(status, {}, '')).toEqual({ retryAfterMs: 0, isClockKnown: false });
  },
);

test('an answer that lacks the time of the server, but is its own, is an acknowledgement', async () => {
  expect(await answered(200, {})).toEqual({ retryAfterMs: undefined, isClockKnown: true });
});

test('a page of a network that answers instead of the server acknowledges nothing', async () => {
  const answer = await answered(200, {}, '<p>Please sign in');
  expect(answer).toEqual({ retryAfterMs: 0, isClockKnown: false });
});

test('no answer acknowledges nothing', async () => {
  const clock = createServerClock(systemClock);
  expect(await sendTo('http://127.0.0.1:1', clock)).toBe(0);
  expect(clock.offsetMs()).toBeUndefined();
});
