/** An account with videos, and random playback of it: facts as they may arrive, in any order. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Fact, Wait } from '../../src/store/facts.ts';
import {
  connections,
  numberOfWait,
  streamTypes,
  waitCauseNames,
  waitOutcomeNames,
} from '../../src/vocabulary/waits.ts';
import type { TestService } from '../support/service.ts';
import { AudienceOracle, type OracleVideo } from './audience-oracle.ts';
import { delicateInstants } from './viewers.ts';

const slotMs = 900_000;
const hourMs = 3_600_000;

export const labels = ['plan', 'team'] as const;
export const suspects = ['ADDRESS:2026-03-08:1', 'VIDEO:2026-03-08:2'] as const;

/** 0: unknown. */
const lengthsMs = [0, 500, 60_000, 5_400_000];

/** What questions are asked about. */
export interface AudienceAccount {
  readonly accountId: number;
  readonly key: string;
  readonly timeZone: string;
  readonly packages: readonly number[];
  readonly folders: readonly number[];
  readonly videos: readonly OracleVideo[];
}

export interface AudienceWorld extends AudienceAccount {
  readonly oracle: AudienceOracle;
  /** Stores facts in several writes and records them in the oracle. */
  play(stretches: readonly PlayedStretch[]): Promise<void>;
}

/** What one beacon tells of a stretch. */
export interface PlayedReport {
  /** Its sender's clock, beside that of the first. */
  readonly shiftMs: number;
  readonly playMs: number;
  readonly mediaMs: number;
  readonly system: number;
  readonly position: number | undefined;
  readonly viewer: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly quality: Fact['quality'];
}

/** A stretch, put together from its reports. */
export interface PlayedStretch {
  readonly video: number;
  readonly inPackage: number;
  readonly view: number;
  readonly stretch: number;
  readonly startMs: number;
  readonly reports: readonly PlayedReport[];
  readonly suspect: string;
}

export const systems = [
  ['iOS', '17.4'],
  ['iOS', '9.3'],
  ['iOS', '10'],
  ['Windows', '11'],
  ['Unknown', 'Unknown'],
  ['', ''],
] as const;

export const attributeValues = {
  country: ['KR', 'US', 'Unknown'],
  device: ['mobile', 'desktop'],
  browser: ['Firefox', 'Chrome'],
  browserVersion: ['9', '10', '10.2', 'beta'],
  host: ['www.example.com'],
  page: ['www.example.com/Films/1', 'www.example.com/films/2', 'a,b;c\\d'],
  referrer: ['search.example.org'],
  player: ['hls.js/1.7.0'],
  label1: ['free', 'paid'],
  label2: ['red'],
  streamType: streamTypes,
  connection: connections,
} as const;

/** What is told of single stretches and waits. */
export const factValues = {
  mediaHost: ['cdn1.example.com', 'cdn2.example.com'],
  error: ['3016', 'MEDIA_ERR_DECODE'],
} as const;

const viewers = [
  ...[1n, 2n].map((number) => String((2n << 62n) + number)),
  ...[1n, 2n, 3n].map((number) => String((1n << 62n) + number)),
];

const attributes = fc.record(
  Object.fromEntries(
    Object.entries(attributeValues).map(([name, values]) => [name, fc.constantFrom(...values)]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const startMs = fc
  .tuple(fc.constantFrom(...delicateInstants), fc.integer({ min: -30 * hourMs, max: 6 * hourMs }))
  .map(([{ instantMs }, offset]) => instantMs + offset);

const playMs = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 * hourMs }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 899_999, 900_000) },
);

const waitMs = fc.oneof(
  { weight: 4, arbitrary: fc.nat(5_000) },
  { weight: 1, arbitrary: fc.nat(hourMs) },
);

const qualityOfStretch = fc.record(
  {
    mediaBits: fc.oneof(fc.nat(10_000_000), fc.nat(10 ** 11)),
    frames: fc.nat(100_000),
    droppedFrames: fc.nat(10_000),
    mediaHost: fc.constantFrom(...factValues.mediaHost),
  },
  { requiredKeys: [] },
);

const laterCauses = waitCauseNames.filter((name) => name !== 'start');
const reportOfWait = fc.record(
  {
    wait: fc.record({
      cause: fc.constantFrom(...laterCauses),
      outcome: fc.constantFrom(...waitOutcomeNames, 'played' as const),
      waitMs,
      error: fc.option(fc.constantFrom(...factValues.error), { nil: undefined }),
    }),
    mediaHost: fc.constantFrom(...factValues.mediaHost),
  },
  { requiredKeys: ['wait'] },
);

const report = fc
  .record({
    // Most clocks are right, and some are corrected while they report.
    shiftMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: -60_000, max: 60_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -600_000, max: 600_000 }) },
    ),
    playMs,
    rate: fc.integer({ min: 0, max: 200 }),
    system: fc.nat(systems.length - 1),
    position: fc.option(
      fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 6_000_000 })),
      { nil: undefined },
    ),
    viewer: fc.option(fc.constantFrom(...viewers), { nil: undefined }),
    attributes,
    quality: fc.option(qualityOfStretch, { nil: undefined }),
  })
  .map(({ rate, ...told }): PlayedReport => {
    return { ...told, mediaMs: Math.floor((told.playMs * rate) / 100) };
  });

const stretch = fc
  .record({
    stretch: fc.nat(3),
    laterMs: fc.oneof(fc.nat(60_000), fc.nat(1_200_000)),
    reports: fc.array(report, { minLength: 1, maxLength: 3 }),
    suspect: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom(...suspects)),
    waits: fc.option(fc.array(reportOfWait, { minLength: 3, maxLength: 3 }), { nil: undefined }),
  })
  .map(({ waits, ...one }) => (waits === undefined ? one : waitOf(one, waits)));

/** The same stretch as a wait of the same number, whose reports have no playback. */
function waitOf<Stretch extends Pick<PlayedStretch, 'stretch' | 'reports'>>(
  one: Stretch,
  waits: readonly { readonly wait: Wait; readonly mediaHost?: string }[],
): Stretch {
  const isFirst = one.stretch === 0;
  const reports = one.reports.map((told, index) => {
    const { wait, mediaHost } = waits[index % waits.length] as (typeof waits)[number];
    const own = isFirst ? { ...wait, cause: 'start' as const } : wait;
    const attributes = isFirst ? { ...told.attributes, quality: 'reported' } : told.attributes;
    const nothing = { playMs: 0, mediaMs: 0, position: undefined };
    return { ...told, ...nothing, attributes, quality: { wait: own, mediaHost } };
  });
  // Numbers of signed views are hashes: nothing may be told by them.
  return { ...one, stretch: numberOfWait(7 * one.stretch + 3), reports };
}

const view = fc.record({
  video: fc.nat(lengthsMs.length - 1),
  inPackage: fc.nat(1),
  view: fc.nat(60),
  startMs,
  stretches: fc.array(stretch, { minLength: 1, maxLength: 4 }),
});

export const playedStretches = fc
  .array(view, { minLength: 5, maxLength: 60, size: 'max' })
  .map((all) =>
    all.flatMap(({ stretches, startMs: viewStartMs, ...of }) =>
      stretches.map(
        ({ laterMs, ...one }): PlayedStretch => ({ ...of, ...one, startMs: viewStartMs + laterMs }),
      ),
    ),
  );

export async function createAudienceWorld(
  { catalog, facts, addAccount }: TestService,
  timeZone: string,
): Promise<AudienceWorld> {
  const { accountId, key } = await addAccount(timeZone);
  // Some questions are about 2011, and a long run sees facts erased for their age.
  accepted(await catalog.accounts.change(accountId, { factsMonths: 1_200 }));
  const names = new Map<string, string>();
  const folders: number[] = [];
  const packages: number[] = [];
  for (const name of ['Films', 'Series']) {
    const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: name }));
    const made = accepted(await catalog.packages.create(accountId, { packageName: `${name} TV` }));
    folders.push(folderId);
    packages.push(made.packageId);
    names.set(`folder ${folderId}`, name).set(`package ${made.packageId}`, `${name} TV`);
  }
  const videos: OracleVideo[] = [];
  for (const [index, lengthMs] of lengthsMs.entries()) {
    const folderId = folders[index % 2] ?? 0;
    const title = `=Film ${index}, "the" one`;
    const fields = { folderId, title, durationMs: lengthMs };
    const { videoId, accessKey } = accepted(await catalog.videos.create(accountId, fields));
    videos.push({ videoId, accessKey, title, folderId, lengthMs });
  }
  const oracle = new AudienceOracle(videos, names, labels);
  const world = { accountId, key, timeZone, packages, folders, videos, oracle };
  return {
    ...world,
    async play(stretches) {
      const written = stretches.flatMap((one) => factsOf(one, world));
      oracle.record(...written);
      for (let from = 0; from < written.length; from += 100) {
        await facts.stretches.write(written.slice(from, from + 100));
      }
    },
  };
}

function factsOf(
  played: PlayedStretch,
  { accountId, packages, videos }: Pick<AudienceWorld, 'accountId' | 'packages' | 'videos'>,
): Fact[] {
  const { reports, suspect } = played;
  const hash = createHash('md5').update(`${accountId} ${played.view}`).digest('hex');
  const whole = {
    ...{ accountId, suspect, stretch: played.stretch },
    packageId: packages[played.inPackage] ?? 0,
    videoId: videos[played.video]?.videoId ?? 0,
    view: hash.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
  };
  return reports.flatMap(({ shiftMs, playMs: playedMs, system, quality, ...told }) => {
    const [os, osVersion] = systems[system] ?? ['', ''];
    const startMs = played.startMs + shiftMs;
    const facts: Fact[] = [];
    const endMs = startMs + playedMs;
    let fromMs = startMs;
    do {
      const slotStart = Math.floor(fromMs / slotMs) * slotMs;
      const untilMs = Math.min(endMs, slotStart + slotMs);
      facts.push({
        ...{ ...whole, os, osVersion, slotStart },
        plays: fromMs === startMs && played.stretch === 0 ? 1 : 0,
        ...{ playMs: untilMs - fromMs, quality },
        details: { startMs, laterMs: endMs - untilMs, ...told },
      });
      fromMs = untilMs;
    } while (fromMs < endMs);
    return facts;
  });
}
