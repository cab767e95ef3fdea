/** Paths that answer anybody: asked as fast as may be, and asked without reading the answer. */
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { mostPipelined } from './pipelined.ts';
import { besiegeMemory } from './siege.ts';
import { all, statusesOf, stranger } from './stranger.ts';
import { addVictim } from './victim.ts';

const asked = 'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(10);

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  does: '3,000 connections ask for /openapi.json ten times each, and read nothing of the answers',
  wanted: 'memory bounded, players beside them counted and answered',
  seatsBystanders: true,
  strike: (stage) =>
    besiegeMemory(stage, {
      connections: stage.isLong ? 1_000 : 50,
      heldMs: stage.isLong ? 10_000 : 1_000,
      network: 10,
      sent: { text: asked, isDeaf: true },
      expectsAnswers: true,
      judgesTimes: true,
    }),
};

const tenYears = 'sdate=2017-01-01&edate=2026-12-31&interval=hour';

export const unreadStatistics: Attack = {
  name: 'unread-statistics',
  does: 'with a key, 150 connections ask for the hours of ten years, six megabytes, and read nothing',
  wanted: 'memory bounded, players beside them counted and never refused',
  seatsBystanders: true,
  strike: (stage) =>
    besiegeMemory(stage, {
      connections: stage.isLong ? 50 : 2,
      heldMs: stage.isLong ? 40_000 : 1_000,
      network: 22,
      sent: ({ key }) => ({
        text:
          `GET /report/statistics/video/v2/concurrency?${tenYears} HTTP/1.1\r\n` +
          `host: 127.0.0.1\r\nx-api-key: ${key}\r\n\r\n`,
        isDeaf: true,
      }),
      expectsAnswers: true,
    }),
};

export const pipelinedReadiness: Attack = {
  name: 'pipelined-readiness',
  does: '/readyz asked 12,000 times at once: 32 requests on each of 375 connections, sent without waiting for answers',
  wanted: 'players beside them counted, and answered within 250 ms (p99)',
  seatsBystanders: true,
  strike: (stage) =>
    besiegeMemory(stage, {
      connections: stage.isLong ? 125 : 10,
      heldMs: stage.isLong ? 5_000 : 1_000,
      network: 14,
      sent: { text: 'GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(mostPipelined) },
      expectsAnswers: true,
      judgesTimes: true,
    }),
};

const longMs = 20_000;
const shortMs = 2_000;

export const openAddresses: Attack = {
  name: 'open-addresses',
  does: '30 connections ask for /readyz, /watch, /openapi.json, sessions and tracker, again and again',
  wanted:
    'players beside them counted and never refused; nothing but 200, 404, 429 and 503 comes back',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 30 });
    const { videoKey } = victim;
    const paths = [
      '/readyz',
      `/watch/${videoKey}`,
      '/watch/nobody',
      '/openapi.json',
      `/v1/player/stats/info.json?k=${videoKey}`,
      `/v1/new/player/video.json?k=nobody`,
      '/tracker.js',
      '/docs',
    ];
    const until = performance.now() + (stage.isLong ? longMs : shortMs);
    const again = function* () {
      for (let number = 0; performance.now() < until; number += 1) yield number;
    };
    const answers = await all(again(), 30, async (number) => {
      const path = paths[number % paths.length] ?? '';
      const { status } = await one.send({ path });
      return { path, status };
    });
    one.close();
    const seen = await bystanders.leave();
    const statuses = statusesOf(answers);
    const expected = new Set(['200', '404', '429', '503']);
    const unexpected = Object.keys(statuses).filter((status) => !expected.has(status));
    const unanswered = paths
      .filter((path) => !path.includes('nobody'))
      .filter((path) => !answers.some((one) => one.path === path && one.status === 200));
    return {
      measured: `${JSON.stringify(statuses)}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          [`answers ${unexpected}`]: unexpected.length > 0,
          [`never answered: ${unanswered}`]: unanswered.length > 0,
        }),
      ],
    };
  },
};
