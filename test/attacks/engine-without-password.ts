/** What a local user can do at the engine's port, who knows no password. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import type { Target } from './target.ts';
import { addVictim, type Victim } from './victim.ts';

const sleeping = 100;
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

export const engineStandsStill: Attack = {
  name: 'engine-stands-still',
  does: 'The engine lives and answers nothing any more',
  wanted: 'the supervisor notices and starts it again; statistics are answered again',
  async strike(stage): Promise<Struck> {
    // It takes as long as the supervisor is patient, and has a test of its own.
    if (!stage.isLong) return { measured: 'not in the short form', wrong: [] };
    const target = await stage.start({});
    const victim = await addVictim(target);
    const first = target.engineProcessId();
    const startedAt = performance.now();
    process.kill(first, 'SIGSTOP');
    let isAnswered = false;
    while (!isAnswered && performance.now() < startedAt + replacedWithinMs) {
      await sleep(500);
      isAnswered = await answersSoon(target, victim);
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    // What was not ended would else stand still for ever.
    if (target.engineProcessId() === first) process.kill(first, 'SIGCONT');
    return {
      measured: isAnswered
        ? `answered again after ${seconds} s`
        : `no statistics for ${seconds} s, and no end of it`,
      wrong: wrongIn({ 'no statistics': !isAnswered }),
    };
  },
};

function enginePort({ dataFolder }: Target): number {
  const access = JSON.parse(readFileSync(join(dataFolder, 'engine', 'access.json'), 'utf8'));
  return Number(new URL(access.url).port);
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
  const address = `${url}/report/statistics/video/v1/info/date?sdate=2026-01-01&edate=2026-01-02`;
  const signal = AbortSignal.timeout(10_000);
  return fetch(address, { headers: { 'x-api-key': key }, signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
