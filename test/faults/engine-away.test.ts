/** While the engine is away the service says so, and works again by itself when it is back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service?.remove());

test('while the engine is away beacons are taken and questions get 503, then all as before', async () => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await answerOf(await send('before'))).toEqual(taken);
  let whileAway: WhileAway | undefined;
  await waitUntil('all that is asked to be answered while the engine is away', async () => {
    whileAway = await killAndAsk();
    return whileAway !== undefined;
  });
  const { ready, sent, asked, alive } = whileAway as WhileAway;
  expect(ready).toMatchObject({
    status: 'unavailable',
    catalog: 'ok',
    statistics: expect.stringContaining('SIGKILL'),
  });
  expect(await answerOf(sent)).toEqual(taken);
  expect(await answerOf(asked)).toEqual(unavailable);
  expect(alive.status).toBe(200);

  await waitUntil('readiness', async () => (await fetch(`${service.url}/readyz`)).status === 200);
  // The player did not hear the answer, and sends it again: it is one play.
  expect(await answerOf(await send('meanwhile'))).toEqual(taken);
  await waitUntil('the plays to be counted', async () => (await playsOf(await ask())) === 2);
  expect(await playsOf(await ask())).toBe(2);
});

interface WhileAway {
  readonly ready: unknown;
  readonly sent: Response;
  readonly asked: Response;
  readonly alive: Response;
}

/** Undefined if the engine was back before all was answered, as on a busy machine it may be. */
async function killAndAsk(): Promise<WhileAway | undefined> {
  await waitUntil('an engine', isReady);
  process.kill(service.engineProcesses().at(-1) ?? 0, 'SIGKILL');
  // At first the service only finds that nothing answers; then, that the process has ended.
  await waitUntil('the service to notice', async () => (await isEnded()) || (await isReady()));
  const [ready, sent, asked, alive] = await Promise.all([
    fetch(`${service.url}/readyz`),
    send('meanwhile'),
    ask(),
    fetch(`${service.url}/healthz`),
  ]);
  const isAway = ready.status === 503 && (await isEnded());
  return isAway ? { ready: await ready.json(), sent, asked, alive } : undefined;
}

async function isReady(): Promise<boolean> {
  return (await fetch(`${service.url}/readyz`)).status === 200;
}

/** Whether the service knows of the killed engine, and has no other one yet. */
async function isEnded(): Promise<boolean> {
  return (await (await fetch(`${service.url}/readyz`)).text()).includes('SIGKILL');
}

const taken = { status: 200, retryAfter: null, body: { accepted: 1, rejected: [] } };

const unavailable = {
  status: 503,
  retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  body: expect.objectContaining({
    ...{ code: 'UNAVAILABLE', status: 503, isSuccess: false },
    detail: expect.not.stringContaining('SIGKILL'),
  }),
};

async function answerOf(response: Response) {
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body: await response.json() };
}

async function playsOf(response: Response): Promise<number> {
  const { data } = (await response.json()) as { data?: { list: { videoCount: string }[] } };
  return (data?.list ?? []).reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}

const at = new Date().toISOString();

function send(view: string): Promise<Response> {
  const videoKey = service.pageUrl.replace(/^.*\/watch\//, '');
  const beacon = { view, stretch: 0, at, playMs: 0, videoKey };
  return fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ beacons: [beacon] }),
  });
}

function ask(more = ''): Promise<Response> {
  const range = `sdate=${dayBefore(29)}&edate=${dayBefore(0)}`;
  const path = `/report/statistics/video/v1/info/date?${range}`;
  return fetch(service.url + path + more, { headers: { 'x-api-key': service.key } });
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
