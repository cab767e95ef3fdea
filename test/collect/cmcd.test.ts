/** CMCD events on the real service: what was reported counts, however it arrived. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Problem } from '../../src/vocabulary/faults.ts';
import { audienceMeasureNames, isOfQuality } from '../../src/vocabulary/measures.ts';
import type { QueryAnswer, QuerySchema } from '../../src/wire/questions/audience-messages.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15';
const startMs = Date.UTC(2026, 10, 20, 12, 59, 30);

let clock: ManualClock;
let service: TestService;
let account: TestAccount;
let packageId: number;
let accessKey: string;
let videoKey: string;
beforeAll(async () => {
  clock = manualClock(startMs + 600_000);
  service = await startTestService({ clock: clock.readings });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  ({ packageId, accessKey, videoKey } = await addFilm(account));
});

interface Sent {
  readonly sid: string;
  readonly sn: number;
  readonly afterMs: number;
  readonly sta?: string;
  readonly e?: string;
}

function lineOf({ sid, sn, afterMs, sta, e = 'ps' }: Sent): string {
  const state = sta === undefined ? '' : `,sta=${sta}`;
  return `e=${e},sid="${sid}",sn=${sn}${state},ts=${startMs + afterMs},v=2`;
}

function post(body: string, headers: Record<string, string> = {}, key = videoKey) {
  return service.request(`/collect/v1/cmcd/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd', 'user-agent': userAgent, ...headers },
    body,
  });
}

async function send(sent: readonly Sent[]): Promise<void> {
  const response = await post(sent.map(lineOf).join('\n'));
  expect(await response.json()).toEqual({ accepted: sent.length, rejected: [] });
}

async function hours(): Promise<[string, string, string][]> {
  await service.facts.rollUp();
  const path = '/report/statistics/video/v1/info/date/hour?date=2026-11-20&sortDirection=asc';
  const { list } = await service.ask(path, account.key);
  return list.map((row) => [String(row.hour), row.videoCount, row.duration]);
}

/** A view as a player reports it: loads, plays across the hour, pauses, plays on, ends. */
function session(sid = 'one-view'): Sent[] {
  const sent: Omit<Sent, 'sid' | 'sn'>[] = [
    { afterMs: 0, e: 't' },
    { afterMs: 10, sta: 'd' },
    { afterMs: 2_000, sta: 's' },
    { afterMs: 2_100, sta: 'p' },
    { afterMs: 12_100, sta: 'p', e: 't' },
    { afterMs: 11_900, sta: 'p', e: 'rr' },
    { afterMs: 42_100, sta: 'p', e: 't' },
    { afterMs: 50_100, sta: 'a' },
    { afterMs: 72_100, sta: 'a', e: 't' },
    { afterMs: 90_100, sta: 'p' },
    { afterMs: 91_100, sta: 'k' },
    { afterMs: 91_300, sta: 'r' },
    { afterMs: 91_400, sta: 'p' },
    { afterMs: 95_400, sta: 'e' },
  ];
  return sent.map((one, sn) => ({ ...one, sid, sn }));
}
const sessionHours = [
  ['12', '1', '27'],
  ['13', '0', '25'],
];

test('a view is one play, and the time between its states', async () => {
  const response = await post(session().map(lineOf).join('\r\n'));
  expect(await response.json()).toEqual({ accepted: session().length, rejected: [] });
  expect(await hours()).toEqual(sessionHours);
});

test('a view is in every measure but those of positions and media time, which the schema says', async () => {
  await service.catalog.videos.change(account.accountId, accessKey, { durationMs: 120_000 });
  await send(session());
  const root = '/report/statistics/video/v2';
  const ask = async (path: string) => {
    const answer = await service.get(`${root}/${path}`, account.key);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const totals = async () => {
    await service.facts.rollUp();
    const ofPlayback = audienceMeasureNames.filter((name) => !isOfQuality(name));
    const names = [ofPlayback.slice(0, 10), ofPlayback.slice(10)];
    const range = 'sdate=2026-11-20&edate=2026-11-20';
    const answers = await Promise.all(names.map((some) => ask(`query?${range}&measures=${some}`)));
    const all = (answers as QueryAnswer['data'][]).map((answer) => answer.totals);
    return Object.assign({}, ...all) as Record<string, number | null>;
  };
  const alone = await totals();
  expect(alone).toMatchObject({ plays: 1, playMs: 53_000, views: 1, viewers: 1 });
  expect(alone).toMatchObject({ mediaMs: 0, positionedViews: 0, seenMs: 0, averageSeen: null });

  const { measures } = (await ask('schema')) as QuerySchema;
  const leftOut = measures.filter(({ definition }) => definition.includes('CMCD'));
  const empty = measures.filter(({ name }) => !isOfQuality(name) && !alone[name]);
  expect(leftOut).toEqual(empty);

  // Beside a view that reports a position, it changes nothing of them.
  const at = new Date(startMs).toISOString();
  const beacon = { view: 'a', stretch: 0, at, playMs: 60_000, position: 0, mediaMs: 60_000 };
  const sent = await service.send([{ ...beacon, videoKey }]);
  expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
  expect(await totals()).toMatchObject({
    ...{ plays: 2, views: 2, mediaMs: 60_000, positionedViews: 1, averageSeen: 0.5 },
    ...{ reached50: 1, reached75: 0 },
  });
});

/** What hls.js sends of a slow start, a stall and a failure. */
function waitingSession(sid: string): string[] {
  const keys = [
    't,sf=h,0',
    'ps,sf=h,sta=d,10',
    'ps,sf=h,sta=s,2000',
    'ps,br=(300),sf=h,st=v,sta=p,3500',
    'ps,br=(300),sf=h,st=v,sta=r,13500',
    't,br=(300),sf=h,st=v,sta=r,14000',
    'ps,br=(600),sf=h,st=v,sta=p,14500',
    'ps,br=(600),sf=h,st=v,sta=k,24500',
    'ps,br=(600),sf=h,st=v,sta=p,24700',
    'ps,br=(600),sf=h,st=v,sta=f,29700',
    'e,br=(600),ec=("fragLoadError"),sf=h,st=v,sta=f,29700',
  ];
  return keys.map((line, sn) => {
    const [, told, ms] = /^(.*),(\d+)$/.exec(line) ?? [];
    return `e=${told},sid="${sid}",sn=${sn},ts=${startMs + Number(ms)},v=2`;
  });
}

const waitingMeasures = [
  ...['attempts', 'starts', 'startupMs', 'stalls', 'stallMs', 'seekMs'],
  ...['failures', 'stalledTimeShare', 'bitrate', 'mediaMs'],
];
const waitingTotals = {
  ...{ attempts: 1, starts: 1, startupMs: 1_500, stalls: 1, stallMs: 1_000, seekMs: 200 },
  // 10 s at 300 kbit/s, 15 s at 600; of 27.7 s, one was a stall.
  ...{ failures: 1, stalledTimeShare: 0.0361, bitrate: 480, mediaMs: 25_000 },
};

async function askTotals(measures: readonly string[], more = '') {
  await service.facts.rollUp();
  const range = `sdate=2026-11-20&edate=2026-11-20&measures=${measures}`;
  const answer = await service.get(
    `/report/statistics/video/v2/query?${range}${more}`,
    account.key,
  );
  return ((await answer.json()) as QueryAnswer).data.totals;
}

test('the waits of a view are the same in any order, one by one, and sent again', async () => {
  const lines = waitingSession('waits');
  const orders = [
    [lines.join('\n')],
    lines,
    lines.toReversed(),
    [...lines.filter((_, sn) => sn % 2 === 0), ...lines, lines.join('\n')],
  ];
  for (const bodies of orders) {
    account = await service.addAccount();
    packageId = await account.addPackage();
    videoKey = await account.publish(packageId, await account.addVideo());
    for (const body of bodies) expect((await post(body)).status).toBe(200);
    expect(await askTotals(waitingMeasures)).toEqual(waitingTotals);
    const ofError = '&filters=error%3D%3DfragLoadError%3BstreamType%3D%3Dvod';
    expect(await askTotals(['failures'], ofError)).toEqual({ failures: 1 });
  }
});

test('a load under the same session takes its waits back, and those near it', async () => {
  await post(waitingSession('again').join('\n'));
  expect(await askTotals(waitingMeasures)).toEqual(waitingTotals);
  await post(lineOf({ sid: 'again', sn: 0, afterMs: 60_000, sta: 'd' }));
  expect(await askTotals(['attempts', 'stalls', 'failures', 'stallMs', 'seekMs'])).toEqual({
    ...{ attempts: 0, stalls: 0, failures: 0, stallMs: 0, seekMs: null },
  });
});

test('an event in the query, as Shaka Player 5.0 and 5.1 send it, counts as one in a body', async () => {
  const ask = (line: string, method = 'GET', key = videoKey) =>
    service.request(`/collect/v1/cmcd/${key}?${new URLSearchParams({ CMCD: line })}`, {
      method,
      headers: { 'user-agent': userAgent },
    });
  for (const line of session().map(lineOf)) {
    expect((await ask(line, 'HEAD')).status).toBe(200);
  }
  expect(await hours()).toEqual([]);
  for (const line of session().map(lineOf)) {
    expect(await (await ask(line)).json()).toEqual({ accepted: 1, rejected: [] });
  }
  expect(await hours()).toEqual(sessionHours);
  expect(await (await ask('sn=1')).json()).toMatchObject({
    accepted: 0,
    rejected: [{ index: 0, code: 'INVALID_BEACON' }],
  });
  expect((await ask(lineOf({ sid: 'x', sn: 0, afterMs: 0 }), 'GET', 'nobody')).status).toBe(404);
  expect((await service.request(`/collect/v1/cmcd/${videoKey}`)).status).toBe(400);
  const options = await service.request(`/collect/v1/cmcd/${videoKey}`, { method: 'OPTIONS' });
  expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
});

test('lines that come as one JSON string are the same lines', async () => {
  const body = session().map(lineOf).join('\n');
  const response = await post(JSON.stringify(body));
  expect(await response.json()).toEqual({ accepted: session().length, rejected: [] });
  expect(await hours()).toEqual(sessionHours);
});

/** Loads of a page that begin within minutes of each other; no two events share an instant. */
const nearLoads = fc.array(
  fc.record({
    beginsAfter: fc.integer({ min: 0, max: 120 }),
    spells: fc.array(fc.tuple(fc.constantFrom('p', 'a'), fc.integer({ min: 1, max: 90 })), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  { minLength: 2, maxLength: 3 },
);

function eventsOfLoads(loads: typeof nearLoads extends fc.Arbitrary<infer Value> ? Value : never) {
  let playedMs = 0;
  const sent = loads.flatMap(({ beginsAfter, spells }, load) => {
    let afterMs = beginsAfter * 1_000 + load;
    return [...spells, ['a', 0] as const].map(([sta, seconds], sn): Sent => {
      const event = { sid: 'page', sn, sta, afterMs };
      afterMs += seconds * 1_000;
      if (sta === 'p') playedMs += seconds * 1_000;
      return event;
    });
  });
  return { sent, playedMs };
}

test('loads of one session: the same time in every order, and never more than they played', {
  tags: 'long',
}, async () => {
  const deliveries = nearLoads.map(eventsOfLoads).chain(({ sent, playedMs }) =>
    fc.record({
      playedMs: fc.constant(playedMs),
      sent: fc.constant(sent),
      order: fc.shuffledSubarray([...sent, ...sent], { minLength: sent.length }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 })),
      atOnce: fc.array(fc.integer({ min: 1, max: 4 })),
      rollsUp: fc.array(fc.nat(2), { minLength: 4 }),
    }),
  );
  /** From the sums of slots, of days, and from the facts. */
  const countedMs = async (): Promise<number[]> => {
    await service.facts.rollUp();
    const total = async (parameters: Record<string, string>) => {
      const range = { sdate: '2026-11-20', edate: '2026-11-20' };
      const query = new URLSearchParams({ ...range, ...parameters });
      const response = await service.get(`/report/statistics/video/v2/query?${query}`, account.key);
      return Number(((await response.json()) as QueryAnswer).data.totals.playMs);
    };
    return [
      await total({ measures: 'playMs', dimensions: 'hour' }),
      await total({ measures: 'playMs', dimensions: 'os' }),
      await total({ measures: 'playMs,views' }),
    ];
  };
  await fc.assert(
    fc.asyncProperty(deliveries, async ({ sent, playedMs, order, sizes, atOnce, rollsUp }) => {
      const begin = async () => {
        account = await service.addAccount();
        videoKey = await account.publish(await account.addPackage(), await account.addVideo());
      };
      await begin();
      await send(sent);
      const expected = await countedMs();
      expect(new Set(expected).size).toBe(1);
      expect(expected[0]).toBeLessThanOrEqual(playedMs);

      await begin();
      const missing = sent.filter((event) => !order.includes(event));
      const rest = [...order, ...missing];
      const batches: Sent[][] = [];
      while (rest.length > 0) batches.push(rest.splice(0, sizes[batches.length] ?? 2));
      for (let turn = 0; batches.length > 0; turn += 1) {
        await Promise.all(batches.splice(0, atOnce[turn] ?? 2).map(send));
        // Sums of what is taken back later.
        if (rollsUp[turn] === 0) await service.facts.rollUp();
      }
      expect(await countedMs()).toEqual(expected);
      const days = await service.facts.upkeep.daysOf(account.accountId);
      await service.facts.upkeep.rollUp();
      expect(await service.facts.upkeep.checkSums(days)).toEqual([]);
    }),
    { numRuns: 1 },
  );
});

test('unknown and retired keys, empty and foreign bodies are answered as such', async () => {
  const line = lineOf({ sid: 'x', sn: 0, afterMs: 0 });
  const codeOf = async (answer: Promise<Response>) =>
    ((await (await answer).json()) as Problem).code;
  expect(await codeOf(post(line, {}, 'nobody'))).toBe('NOT_FOUND');
  expect(await codeOf(post('\n'))).toBe('INVALID_PARAMETER');
  expect(await codeOf(post('{}', { 'content-type': 'application/json' }))).toBe(
    'UNSUPPORTED_MEDIA_TYPE',
  );
  accepted(
    await service.catalog.publications.retire({
      accountId: account.accountId,
      packageId,
      accessKey,
    }),
  );
  const retired = await post(line);
  expect(retired.status).toBe(410);
  expect(await codeOf(Promise.resolve(retired))).toBe('GONE');
});

test.each(['text/plain', 'text/plain;charset=UTF-8', 'application/octet-stream'])(
  'events count that come as %s, and nothing else does',
  async (type) => {
    const body = session().map(lineOf).join('\n');
    const answer = await post(body, { 'content-type': type });
    expect(await answer.json()).toEqual({ accepted: session().length, rejected: [] });
    for (const other of ['{"beacons":[]}', 'sid', '']) {
      expect((await post(other, { 'content-type': type })).status).toBe(415);
    }
  },
);

test('gaps are counted as missed, and what fills them as recovered', async () => {
  const before = await lost();
  const sent = session('lossy');
  await send(sent.filter(({ sn }) => sn !== 5 && sn !== 6));
  expect((await lost()).map((value, index) => value - (before[index] ?? 0))).toEqual([2, 0, 0]);
  await send(sent.slice(5, 6));
  await send(sent.slice(5, 6));
  expect((await lost()).map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 1]);
});

test('every event received is counted or refused', async () => {
  const text = await (await service.request('/metrics')).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^playmeter_beacons_${name}_total(?:\\{.*\\})? (\\d+)$`, 'gm'))]
      .map(([, value]) => Number(value))
      .reduce((total, value) => total + value, 0);
  expect(sum('received')).toBe(sum('counted') + sum('refused'));
});

async function lost(): Promise<number[]> {
  const text = await (await service.request('/metrics')).text();
  return ['missed', 'recovered', 'repeated'].map((name) =>
    Number(new RegExp(`^playmeter_cmcd_events_${name}_total (\\d+)$`, 'm').exec(text)?.[1]),
  );
}
