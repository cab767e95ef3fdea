/** Videos to play, and what the service has counted of each: one play, and so much time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { TestAccount, TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A video in an account of its own, so that the account's numbers are those of the video. */
export interface FreshVideo {
  readonly account: TestAccount;
  readonly videoKey: string;
}

export interface Counted {
  readonly plays: number;
  readonly playMs: number;
}

/** What an answer says of one row. */
interface Answered {
  readonly videoCount: string;
  readonly duration: string;
}

export async function addFreshVideo(
  service: TestService,
  durationMs?: number,
): Promise<FreshVideo> {
  const account = await service.addAccount();
  const accessKey = await account.addVideo(durationMs);
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  return { account, videoKey };
}

/** Between what is counted and what the page measured. */
const boundMs = 1_000;

/** Asked again and again by many viewers at once, the engine would leave the browser little time. */
const betweenAsksMs = 200;

/** To the millisecond, from the facts. */
export async function countedOf(service: TestService, { account }: FreshVideo): Promise<Counted> {
  await sleep(betweenAsksMs);
  const [row] = await service.facts.read<Counted>({
    name: 'test',
    sql: `SELECT sum(plays) AS plays, sum(playMs) AS playMs FROM (
      SELECT max(plays) AS plays, max(playMs) AS playMs FROM stretch
      WHERE accountId = {accountId:UInt32} GROUP BY slot, view, stretch)`,
    parameters: { accountId: account.accountId },
  });
  return row ?? { plays: 0, playMs: 0 };
}

/** What was right once, and is looked at again when the file ends. */
interface Finding {
  readonly service: TestService;
  readonly video: FreshVideo;
  readonly plays: number;
  readonly shortestMs: number;
  readonly longestMs: number;
}
const findings: Finding[] = [];

/** For the end of a file, when all pages are closed: nothing was counted after it was looked at. */
export async function expectNothingMore(service: TestService): Promise<void> {
  const ofService = findings.filter((one) => one.service === service);
  const later = await Promise.all(
    ofService.map(async ({ video, plays, shortestMs, longestMs }) => {
      const counted = await countedOf(service, video);
      const isRight =
        counted.plays === plays && counted.playMs > shortestMs && counted.playMs < longestMs;
      return { ...counted, isRight, shortestMs, longestMs };
    }),
  );
  expect(later.filter(({ isRight }) => !isRight)).toEqual([]);
}

/** Waits until one play and the time that the page measured are counted, and asks for the answer. */
export async function expectOnePlay(
  service: TestService,
  video: FreshVideo,
  measuredMs: number,
): Promise<void> {
  await expectOnePlayBetween(service, video, measuredMs - boundMs, measuredMs + boundMs);
}

export async function expectOnePlayBetween(
  service: TestService,
  video: FreshVideo,
  shortestMs: number,
  longestMs: number,
): Promise<void> {
  await expectPlaysBetween(service, video, { plays: 1, shortestMs, longestMs });
}

/** The same of so many plays; gives what is counted. */
export async function expectPlays(
  service: TestService,
  video: FreshVideo,
  { plays, playMs }: Counted,
): Promise<Counted> {
  const bounds = { shortestMs: playMs - boundMs, longestMs: playMs + boundMs };
  return expectPlaysBetween(service, video, { plays, ...bounds });
}

async function expectPlaysBetween(
  service: TestService,
  video: FreshVideo,
  expected: Omit<Finding, 'service' | 'video'>,
): Promise<Counted> {
  const { shortestMs, longestMs } = expected;
  let counted: Counted = { plays: 0, playMs: 0 };
  let answered: readonly Answered[] = [];
  const isCounted = async () => {
    counted = await countedOf(service, video);
    const { plays, playMs } = counted;
    if (plays === 0 || playMs <= shortestMs || playMs >= longestMs) return false;
    // What comes between the two questions is in the answer alone.
    answered = await answeredOf(service, video);
    return isDeepStrictEqual(answered, [
      { videoCount: String(expected.plays), duration: String(Math.floor(playMs / 1_000)) },
    ]);
  };
  const what = `${expected.plays} play(s) of ${shortestMs} to ${longestMs} ms`;
  await waitUntil(what, isCounted).catch((cause) => {
    throw new Error(`Counted at last: ${JSON.stringify({ counted, answered })}`, { cause });
  });
  expect(counted.plays).toBe(expected.plays);
  findings.push({ service, video, ...expected });
  return counted;
}

/** By operating system: one row, also where a view crosses midnight. */
async function answeredOf(
  service: TestService,
  { account }: FreshVideo,
): Promise<readonly Answered[]> {
  await service.facts.rollUp();
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1) });
  const { list } = await service.ask(`/report/statistics/video/v1/os?${query}`, account.key);
  return list.map(({ videoCount, duration }) => ({ videoCount, duration }));
}
