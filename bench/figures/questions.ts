/** The questions over a year, as data, accounts and videos grow; what the facts take on disk. */
import { atLeast, atMost, type Figure, type Measured, type Series } from '../figure.ts';
import { median } from '../record/percentile.ts';
import { fillPostgres, fillSqlite } from '../rivals/rival-history.ts';
import type { Size } from '../size.ts';
import type { BareEngine } from '../stage/bare-engine.ts';
import { type BenchAccount, type BenchService, startBenchService } from '../stage/bench-service.ts';
import { fillHistories, historyDays } from '../stage/history.ts';
import { type AskedTimes, askAll } from '../stage/questions.ts';

const usualVideos = 100;
const videoCounts = [1, 100, 10_000];
const accountCounts = [1, 10, 100];
const mergeWithinMs = 600_000;

type Times = Record<string, AskedTimes>;
type Grown = readonly { readonly at: number; readonly times: Times }[];

export const questions: Figure = {
  name: 'questions',
  async measure(size, say) {
    const service = await startBenchService();
    try {
      const byAccounts = await growAccounts(service, size, say);
      const byVideos = await growVideos(service, size, say);
      const byBeacons = await growBeacons(service, size, say);
      const rivals = await askRivals(size, say);
      return {
        measured: [
          ...slowest(byBeacons),
          ...againstRivals(byBeacons, rivals, size),
          growthOf(byBeacons),
          await againstTotals(service, byBeacons),
          ...(await diskOf(service, say)),
        ],
        series: [
          seriesOf('Questions as data grows', 'beacons in a year', byBeacons),
          seriesOf('Questions as accounts grow', 'accounts', byAccounts),
          seriesOf('Questions as videos grow', 'videos of the account', byVideos),
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

type Say = (line: string) => void;

async function growAccounts(service: BenchService, size: Size, say: Say): Promise<Grown> {
  const [beacons = 0] = size.beacons;
  const account = await service.addAccount(1);
  const asked = { account, beacons, videos: usualVideos };
  const grown: { at: number; times: Times }[] = [];
  let present = 0;
  for (const count of accountCounts) {
    const others: BenchAccount[] = [];
    for (let index = Math.max(1, present); index < count; index += 1) {
      others.push(await service.addAccount(1));
    }
    const filled = others.map((other) => ({
      account: other,
      beacons: size.beaconsPerOtherAccount,
      videos: usualVideos,
    }));
    await fillHistories(service, present === 0 ? [asked, ...filled] : filled, say);
    present = count;
    grown.push({ at: count, times: await askAll(service, account, size.asksPerQuestion) });
    say(`asked with ${count} accounts`);
  }
  return grown;
}

async function growVideos(service: BenchService, size: Size, say: Say): Promise<Grown> {
  const grown: { at: number; times: Times }[] = [];
  for (const videos of videoCounts) {
    const account = await service.addAccount(1);
    await fillHistories(service, [{ account, beacons: size.beaconsPerVideoCount, videos }], say);
    grown.push({ at: videos, times: await askAll(service, account, size.asksPerQuestion) });
    say(`asked with ${videos} videos`);
  }
  return grown;
}

async function growBeacons(service: BenchService, size: Size, say: Say): Promise<Grown> {
  const grown: { at: number; times: Times }[] = [];
  for (const beacons of size.beacons) {
    const account = await service.addAccount(1);
    await fillHistories(service, [{ account, beacons, videos: usualVideos }], say);
    await mergesDone(await service.engine());
    grown.push({ at: beacons, times: await askAll(service, account, size.asksPerQuestion) });
    say(`asked over ${beacons} beacons`);
  }
  return grown;
}

async function askRivals(size: Size, say: Say): Promise<Record<string, Times>> {
  const asked: Record<string, Times> = {};
  for (const fill of [fillPostgres, fillSqlite]) {
    const rival = await fill(size.rivalBeacons);
    try {
      say(`${rival.name} holds ${size.rivalBeacons} beacons`);
      asked[rival.name] = await rival.ask(Math.min(10, size.asksPerQuestion));
    } finally {
      await rival.stop();
    }
  }
  return asked;
}

function slowest(grown: Grown): Measured[] {
  const last = grown.at(-1);
  return Object.entries(last?.times ?? {}).map(([what, { p95Ms }]) => ({
    what: `${what}: p95`,
    value: p95Ms,
    unit: 'ms',
    target: atMost(25),
    note: `${last?.at.toLocaleString('en-US')} beacons of one account in a year`,
  }));
}

function againstRivals(grown: Grown, rivals: Record<string, Times>, size: Size): Measured[] {
  const ours = grown.find(({ at }) => at === size.rivalBeacons)?.times ?? {};
  return Object.entries(rivals).flatMap(([rival, times]) =>
    Object.entries(times).map(([what, { p50Ms }]) => ({
      what: `${what}: times faster than ${rival}`,
      value: p50Ms / (ours[what]?.p50Ms ?? Number.NaN),
      unit: 'x',
      ...(rival === 'PostgreSQL' ? { target: atLeast(50) } : {}),
      note: `${p50Ms.toFixed(1)} ms there, by SQL of an hourly summary without HTTP`,
    })),
  );
}

/** The worst of all questions, by medians: between neighbouring sizes data grows 10 times. */
function growthOf(grown: Grown): Measured {
  const ratios = grown.slice(1).flatMap(({ at, times }, index) =>
    Object.entries(times).map(([what, { p50Ms }]) => ({
      what: `${what}, at ${at.toLocaleString('en-US')}`,
      value: p50Ms / (grown[index]?.times[what]?.p50Ms ?? Number.NaN),
    })),
  );
  const [worst] = ratios.sort((a, b) => b.value - a.value);
  return {
    what: 'time of the same question when data grows 10 times, the worst',
    value: worst?.value ?? Number.NaN,
    unit: 'x',
    target: atMost(1.3),
    note: worst?.what ?? '',
  };
}

/** The limit: the engine alone, a table that holds nothing but the sums that are asked for. */
async function againstTotals(service: BenchService, grown: Grown): Promise<Measured> {
  const engine = await service.engine();
  await engine.run(`CREATE TABLE totals (slot DateTime('UTC'), plays UInt64, playMs UInt64)
    ENGINE = MergeTree ORDER BY slot AS
    SELECT slot, toUInt64(max(plays)), toUInt64(max(playMs)) FROM playback_sum
    WHERE accountId = (SELECT max(accountId) FROM playback_sum) AND grouping = 'account'
    GROUP BY slot`);
  const times: number[] = [];
  for (let run = 0; run < 30; run += 1) {
    const startedAt = performance.now();
    await engine.run('SELECT toDate(slot), sum(plays), sum(playMs) FROM totals GROUP BY 1');
    times.push(performance.now() - startedAt);
  }
  const limit = median(times);
  return {
    what: 'date over a year, account: times the bare engine summing a table of totals',
    value: (grown.at(-1)?.times['date over a year, account']?.p50Ms ?? Number.NaN) / limit,
    unit: 'x',
    note: `${limit.toFixed(1)} ms there`,
  };
}

async function diskOf(service: BenchService, say: Say): Promise<Measured[]> {
  const engine = await service.engine();
  await mergesDone(engine);
  const tables = `system.parts WHERE active AND database = 'playmeter' AND table`;
  const plays = await engine.number('SELECT sum(plays) FROM stretch');
  const bytes = (table: string) =>
    engine.number(`SELECT sum(bytes_on_disk) FROM ${tables} = '${table}'`);
  const facts = (await bytes('stretch')) / plays;
  const sums = (await bytes('playback_sum')) / plays;
  say(`${plays} plays over ${historyDays} days on disk`);
  return [
    {
      what: 'bytes on disk per playback after merging',
      value: facts + sums,
      unit: 'bytes',
      target: atMost(40),
      note: `${facts.toFixed(1)} facts, ${sums.toFixed(1)} sums`,
    },
  ];
}

async function mergesDone(engine: BareEngine): Promise<void> {
  for (const table of ['stretch', 'playback_sum']) {
    await engine.run(`OPTIMIZE TABLE ${table} FINAL`, {
      max_execution_time: mergeWithinMs / 1_000,
    });
  }
}

function seriesOf(title: string, grows: string, grown: Grown): Series {
  const names = Object.keys(grown[0]?.times ?? {});
  return {
    title,
    grows,
    lines: names.map((name) => ({
      name,
      points: grown.map(({ at, times }) => ({ at, ms: times[name]?.p50Ms ?? Number.NaN })),
    })),
  };
}
