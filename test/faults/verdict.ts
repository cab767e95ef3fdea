/** Whether, at the end, the service says what the oracle says: every kind of question, the ledger. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Playmeter } from '../../client/src/index.ts';
import { allPages } from '../simulation/ask.ts';
import type { Oracle } from '../simulation/oracle.ts';
import {
  type AnyQuestion,
  anyQuestion,
  delicateRanges,
  everything,
  expectedRows,
  type Range,
  type Row,
} from '../simulation/questions.ts';
import { publicationsPerAccount, type World } from '../simulation/world.ts';
import type { TestAccount } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { anyPublications, cast } from './cast.ts';
import { serverOf } from './faulty-network.ts';
import type { LedgerTally } from './ledger-tally.ts';

const dayMs = 86_400_000;
const wholeDecade = ['2020-01-01', '2029-12-31'] as const;
/** A cluster on a busy machine may not answer for some seconds. */
const retries = 20;
const shownRows = 5;

/** Questions of every kind, some of them about the days on which the simulation runs. */
export function drawQuestions(seed: number, count: number, nowMs: number): AnyQuestion[] {
  const day = (offset: number) => dayOf(nowMs + offset * dayMs);
  const recent: Range[] = [
    [day(-3), day(2)],
    [day(-1), day(-1)],
    [day(0), day(0)],
  ];
  const accounts = cast.any.accounts.length;
  const any = anyQuestion(accounts, anyPublications, [...delicateRanges, ...recent]);
  // To the hour, only the service knows when these were.
  const first = cast.late.account * publicationsPerAccount;
  const ofLate = anyQuestion(1, publicationsPerAccount, [[day(-3), day(2)]])
    .filter(({ kind }) => kind === 'os' || kind === 'detail')
    .map((question) => ({
      ...question,
      account: cast.late.account,
      packageOf: question.packageOf === undefined ? undefined : first + question.packageOf,
      videoOf: question.videoOf === undefined ? undefined : first + question.videoOf,
    }));
  const mixed = fc.oneof({ weight: 5, arbitrary: any }, { weight: 1, arbitrary: ofLate });
  return fc.sample(mixed, { seed, numRuns: count });
}

/** All plays of each account whose senders never give up. */
export function wholeAccounts(nowMs: number): AnyQuestion[] {
  const [firstDay, lastDay] = wholeDecade;
  const ofAny = cast.any.accounts.map(
    (account): AnyQuestion => ({ ...everything, kind: 'date', account, firstDay, lastDay }),
  );
  // Near the beginning and the end of a day, only the service knows when these were.
  const { account } = cast.late;
  return [
    ...ofAny,
    {
      ...everything,
      kind: 'os',
      account,
      firstDay: dayOf(nowMs - 3 * dayMs),
      lastDay: dayOf(nowMs + 2 * dayMs),
    },
  ];
}

/** Each question whose answer is not the oracle's, with both. */
export async function wrongAnswersTo(
  questions: readonly AnyQuestion[],
  world: World,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const question of questions) {
    const rows = await allPages(question, world);
    const expected = expectedRows(question, world);
    if (isDeepStrictEqual(rows, expected)) continue;
    const asked = JSON.stringify(question);
    wrong.push(
      `${asked}: ${unlike(rows, expected)}, but the oracle says ${unlike(expected, rows)}`,
    );
  }
  return wrong;
}

/** The first rows of one that the other has not. */
function unlike(rows: readonly Row[], others: readonly Row[]): string {
  const known = new Set(others.map((row) => JSON.stringify(row)));
  const own = rows.map((row) => JSON.stringify(row)).filter((row) => !known.has(row));
  return `${rows.length} rows, of them alone ${own.slice(0, shownRows).join(' ') || 'none'}`;
}

export interface CarelessOracles {
  readonly sent: Oracle;
  readonly acknowledged: Oracle;
}

/** What was sent once is counted where it was acknowledged, and maybe where it was not. */
export async function wrongDaysOfCareless(
  world: World,
  { sent, acknowledged }: CarelessOracles,
): Promise<string[]> {
  const { account } = cast.careless;
  const [firstDay, lastDay] = wholeDecade;
  const question: AnyQuestion = { ...everything, kind: 'date', account, firstDay, lastDay };
  const answered = new Map((await allPages(question, world)).map((row) => [row.date, row]));
  const rowsOf = (oracle: Oracle) =>
    new Map(expectedRows(question, { ...world, oracle }).map((row) => [row.date, row]));
  const least = rowsOf(acknowledged);
  const most = rowsOf(sent);
  const numberOf = (row: Row | undefined, measure: string) => Number(row?.[measure] ?? 0);
  return [...new Set([...answered.keys(), ...most.keys()])].flatMap((date) =>
    ['videoCount', 'duration'].flatMap((measure) => {
      const [low, is, high] = [least, answered, most].map((rows) =>
        numberOf(rows.get(date), measure),
      ) as [number, number, number];
      const isWithin = low <= is && is <= high;
      return isWithin ? [] : [`careless, ${date}: ${measure} ${is}, not ${low} to ${high}`];
    }),
  );
}

/** Asks for the ledgers of all accounts; whether all answered. */
export async function askLedgers(world: World, tally: LedgerTally): Promise<boolean> {
  const answers = await Promise.all(
    world.accounts.map(async (account) => {
      const asked = tally.asking(account);
      const ledger = await ledgerOf(world, account, 0).catch(() => undefined);
      if (ledger) asked(ledger.server);
      return ledger !== undefined;
    }),
  );
  return answers.every(Boolean);
}

/** Where the ledger shows less than was certainly counted, more than was sent, or does not add up. */
export async function wrongLedgers(world: World, tally: LedgerTally): Promise<string[]> {
  const wrong: string[] = [];
  for (const account of world.accounts) {
    const asked = tally.asking(account);
    const { sums, server } = await ledgerOf(world, account, retries);
    asked(server);
    const bounds = tally.bounds(account);
    for (const outcome of ['counted', 'refused'] as const) {
      const [least, most] = bounds[outcome];
      if (sums[outcome] >= least && sums[outcome] <= most) continue;
      wrong.push(
        `ledger of ${account.timeZone}: ${outcome} ${sums[outcome]}, not ${least} to ${most}`,
      );
    }
    const { received, counted, refused } = sums;
    if (received !== counted + refused) {
      wrong.push(`ledger of ${account.timeZone}: ${received} are not ${counted} + ${refused}`);
    }
  }
  return wrong;
}

async function ledgerOf({ url }: World, { key }: TestAccount, retries: number) {
  let server = '';
  const { manage } = new Playmeter({
    ...{ url, key, retries, timeoutMs: 15_000 },
    fetch: async (...request) => {
      const response = await fetch(...request);
      server = serverOf(response);
      return response;
    },
  });
  const range = { sdate: dayOf(Date.now() - 3 * dayMs), edate: dayOf(Date.now() + 3 * dayMs) };
  const sums = { received: 0, counted: 0, refused: 0 };
  for (const { received, counted, refused } of await manage.ledger(range)) {
    sums.received += received;
    sums.counted += counted;
    for (const beacons of Object.values(refused)) sums.refused += beacons;
  }
  return { sums, server };
}

/** Resolves when an answer of each server says that it holds all that was acknowledged by now. */
export async function untilComplete(
  { url, accounts: [account] }: World,
  servers: number,
): Promise<void> {
  const sinceMs = Date.now();
  const today = dayOf(sinceMs);
  const target = `${url}/report/statistics/video/v1/info/date?sdate=${today}&edate=${today}`;
  const complete = new Set<string>();
  const areComplete = async () => {
    const headers = { 'x-api-key': account?.key ?? '' };
    const response = await fetch(target, { headers }).catch(() => undefined);
    if (response === undefined) return false;
    await response.arrayBuffer();
    const through = Date.parse(response.headers.get('complete-through') ?? '');
    // In the future: from before a clock was set right.
    if (through > sinceMs && through <= Date.now()) complete.add(serverOf(response));
    return complete.size === servers;
  };
  await waitUntil('answers complete through the end', areComplete);
}

function dayOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
