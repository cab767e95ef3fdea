/** Every question of the interface, as it is asked over HTTP. */
import {
  type GivenDimension,
  givenDimensions,
  type StatisticName,
  statisticNames,
  statistics,
} from '../../src/vocabulary/statistics.ts';
import { percentile } from '../record/percentile.ts';
import type { BenchAccount } from './bench-service.ts';
import { firstDayMs, historyDays } from './history.ts';

export interface BenchQuestion {
  readonly statistic: StatisticName;
  readonly filter: 'account' | 'package' | 'video';
}

export const allQuestions: readonly BenchQuestion[] = (
  ['account', 'package', 'video'] as const
).flatMap((filter) => statisticNames.map((statistic) => ({ statistic, filter })));

export const nameOf = ({ statistic, filter }: BenchQuestion): string =>
  `${statistic === 'hour' ? 'hour of a day' : `${statistic} over a year`}, ${filter}`;

export const dayOf = (day: number) =>
  new Date(firstDayMs + day * 86_400_000).toISOString().slice(0, 10);
const firstDay = dayOf(0);
const lastDay = dayOf(historyDays - 1);
export const oneDay = dayOf(Math.floor(historyDays / 2));
export const oneSystem = 'Android';
const givenValues: Record<GivenDimension, string> = { date: oneDay, os: oneSystem };

export interface Asked {
  readonly url: string;
}

export interface AskedTimes {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Asks all questions in turn, again and again; the times of each, by its name. */
export async function askAll(
  service: Asked,
  account: BenchAccount,
  times: number,
): Promise<Record<string, AskedTimes>> {
  const taken = new Map<string, number[]>(allQuestions.map((one) => [nameOf(one), []]));
  // The first round fills the caches, as any dashboard does.
  for (let round = 0; round <= times; round += 1) {
    for (const question of allQuestions) {
      const startedAt = performance.now();
      await ask(service, account, question);
      if (round > 0) taken.get(nameOf(question))?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...taken].map(([name, of]) => [name, timesOf(of)]));
}

export function timesOf(times: readonly number[]): AskedTimes {
  const ascending = [...times].sort((a, b) => a - b);
  return { p50Ms: percentile(ascending, 0.5), p95Ms: percentile(ascending, 0.95) };
}

export async function ask(service: Asked, account: BenchAccount, question: BenchQuestion) {
  const { statistic, filter } = question;
  const given = givenDimensions(statistic);
  const query = new URLSearchParams({
    ...(given.includes('date') ? {} : { sdate: firstDay, edate: lastDay }),
    ...Object.fromEntries(given.map((name) => [name, givenValues[name]])),
    pageSize: '1000',
    ...(filter === 'package' ? { packageId: String(account.packageId) } : {}),
    ...(filter === 'video' ? { accessKey: account.accessKeys[0] ?? '' } : {}),
  });
  const address = `${service.url}${statistics[statistic].path}?${query}`;
  const answer = await fetch(address, { headers: { 'x-api-key': account.key } });
  const { data } = (await answer.json()) as { data?: { list: unknown[] } };
  // One of many videos may have no play on the day that is asked for.
  const isAnswered = data && (data.list.length > 0 || filter === 'video');
  if (!isAnswered) throw new Error(`No answer: ${answer.status} ${address}`);
}
