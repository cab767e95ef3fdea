/** What a local user can do at the engine's port, who knows no password. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resetWithinRequest } from '../support/reset-within-request.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import type { Target } from './target.ts';
import { addVictim, type Victim } from './victim.ts';

const sleeping = 100;
const resets = 20;
/** An engine that ends itself first writes down what ended it, and is gone a while later. */
const watchedMs = 8_000;
const replacedWithinMs = 120_000;

export const engineWithoutPassword: Attack = {
  name: 'engine-without-password',
  does: "At the engine's port without a password: SYSTEM STOP LISTEN HTTP, 100 sleeping queries",
  wanted: 'every query is refused, and statistics are answered on',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({});
    const victim = await addVictim(target);
    const port = enginePort(target);
    const sleepers = Array.from({ length: sleeping }, () =>
      query(port, 'SELECT sleep(3), sleep(3), sleep(3)', 10_000),
    );
    // The sleepers have to be there before they are looked at.
    await sleep(1_000);
    const meanwhile = await answersSoon(target, victim);
    const read = await query(port, 'SELECT * FROM system.tables', 5_000);
    const write = await query(port, 'CREATE TABLE default.made (a Int32) ENGINE = Memory', 5_000);
    const stop = await query(port, 'SYSTEM STOP LISTEN HTTP', 5_000);
    const slept = (await Promise.all(sleepers)).filter((status) => status === 0 || status === 200);
    await sleep(1_000);
    const afterwards = await answersSoon(target, victim);
    return {
      measured:
        `${slept.length} of ${sleeping} queries slept, STOP LISTEN answered ${stop}; statistics ` +
        `${meanwhile ? 'answered' : 'refused'} meanwhile, ${afterwards ? 'answered' : 'gone'} after`,
      wrong: wrongIn({
        [`${slept.length} queries slept`]: slept.length > 0,
        [`reading answered ${read}`]: read === 200,
        [`writing answered ${write}`]: write === 200,
        [`STOP LISTEN answered ${stop}`]: stop === 200,
        'no statistics meanwhile': !meanwhile,
        'no statistics afterwards': !afterwards,
      }),
    };
  },
};

export const engineReset: Attack = {
  name: 'engine-reset',
  does: "At the engine's port without a password: connections that are reset within a request",
  wanted: 'the engine runs on, and statistics are answered',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({});
    const victim = await addVictim(target);
    const first = target.engineProcessId();
    for (let sent = 0; sent < resets; sent += 1) await resetWithinRequest(enginePort(target));
    const seconds = await longestSilence(target, victim);
    const isReplaced = target.engineProcessId() !== first;
    return {
      measured:
        `the engine ${isReplaced ? 'ended, and was started again' : 'ran on'}; ` +
        `no statistics for ${seconds ?? 'more than 120'} s at most`,
      wrong: wrongIn({ 'the engine ended': isReplaced, 'no statistics': seconds === undefined }),
    };
  },
};

export const engineStandsStill: Attack = {
  name: 'engine-stands-still',
  does: 'The engine lives and answers nothing any more; in the short form it goes on after a while',
  wanted:
    'statistics are answered again, in the long form by an engine that the supervisor started',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({});
    const victim = await addVictim(target);
    const first = target.engineProcessId();
    process.kill(first, 'SIGSTOP');
    // Until it is replaced the supervisor is patient for a minute; see src/engine/engine.test.ts.
    const isSilent = stage.isLong || !(await answersSoon(target, victim));
    if (!stage.isLong) goOn(first);
    const seconds = await secondsUntilAnswered(target, victim);
    const isReplaced = target.engineProcessId() !== first;
    // What was not ended would else stand still for ever.
    goOn(first);
    return {
      measured:
        seconds === undefined
          ? 'no statistics, and no end of it'
          : `answered again after ${seconds} s`,
      wrong: wrongIn({
        'statistics were answered meanwhile': !isSilent,
        'the engine was not replaced': stage.isLong && !isReplaced,
        'no statistics': seconds === undefined,
      }),
    };
  },
};

/** Nothing to a process that was ended. */
function goOn(processId: number): void {
  try {
    process.kill(processId, 'SIGCONT');
  } catch {}
}

function enginePort({ dataFolder }: Target): number {
  const access = JSON.parse(readFileSync(join(dataFolder, 'engine', 'access.json'), 'utf8'));
  return Number(new URL(access.url).port);
}

/** Undefined if that takes too long. */
async function secondsUntilAnswered(target: Target, victim: Victim): Promise<number | undefined> {
  const startedAt = performance.now();
  while (performance.now() < startedAt + replacedWithinMs) {
    if (await answersSoon(target, victim))
      return Math.round((performance.now() - startedAt) / 1_000);
    await sleep(500);
  }
  return undefined;
}

/** In seconds, until they have been answered for a while; undefined if they are not any more. */
async function longestSilence(target: Target, victim: Victim): Promise<number | undefined> {
  const startedAt = performance.now();
  let longestMs = 0;
  let answeredAt = startedAt;
  while (answeredAt - startedAt < watchedMs) {
    if (performance.now() - answeredAt > replacedWithinMs) return undefined;
    await sleep(100);
    if (!(await answersSoon(target, victim))) continue;
    longestMs = Math.max(longestMs, performance.now() - answeredAt);
    answeredAt = performance.now();
  }
  return Math.round(longestMs / 100) / 10;
}

/** Status; 0 without an answer in time. */
function query(port: number, sql: string, withinMs: number): Promise<number> {
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port, method: 'POST', agent: false } as const;
    const sending = request(to, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
    });
    setTimeout(() => sending.destroy(), withinMs);
    sending.on('error', () => resolve(0));
    sending.end(sql);
  });
}

async function answersSoon({ url }: Target, { key }: Victim): Promise<boolean> {
  const asked = `${url}/report/statistics/video/v1/info/date?sdate=2026-01-01&edate=2026-01-02`;
  const signal = AbortSignal.timeout(10_000);
  return fetch(asked, { headers: { 'x-api-key': key }, signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
