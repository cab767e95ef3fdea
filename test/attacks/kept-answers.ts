/** Questions whose answers the service keeps for their further pages. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteFile from 'better-sqlite3';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { all, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim, type Victim } from './victim.ts';

const roomMb = 16;
const lifetimeSeconds = 20;
/** The purge comes once a minute; then all that has expired has to be gone. */
const purgedWithinMs = (lifetimeSeconds + 75) * 1_000;
const mostBytesEach = 65_536;
/** What goes on besides: the ledger, keys, the clock of the last use. */
const otherBytes = 1_048_576;

export const keptAnswers: Attack = {
  name: 'kept-answers',
  does: 'Ten-year questions of one row a page, 600 from each of three keys: as many as they may ask in a minute',
  wanted: `the account keeps at most ${roomMb} MB as configured, and nothing after the lifetime`,
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start({
      environment: {
        SNAPSHOT_LIFETIME_SECONDS: String(lifetimeSeconds),
        SNAPSHOT_MB_PER_ACCOUNT: String(roomMb),
      },
    });
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const keys = await Promise.all(Array.from({ length: 3 }, () => addReader(victim)));
    const before = bytesInUse(target);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, bytesInUse(target) - before);
    }, 500);
    const perKey = stage.isLong ? 600 : 10;
    const asked = keys.map((key, index) => askOften(stage.address(), target, key, perKey, index));
    const statuses = (await Promise.all(asked)).flat();
    most = Math.max(most, bytesInUse(target) - before);
    clearInterval(watching);
    const seen = await bystanders.leave();
    const answered = statuses.filter(({ status }) => status === 200).length;
    if (stage.isLong) await sleep(purgedWithinMs);
    const left = bytesInUse(target) - before;
    const allowed = stage.isLong ? roomMb * 1_048_576 + otherBytes : answered * mostBytesEach;
    return {
      measured:
        `${answered} answers, at most ${mb(most)} kept` +
        `${stage.isLong ? `, ${mb(left)} after ${purgedWithinMs / 1_000} s` : ''}; ` +
        `${JSON.stringify(statusesOf(statuses))}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          [`${mb(most)} kept`]: most > allowed,
          [`${mb(left)} left`]: stage.isLong && left > 2 * otherBytes,
          'no answers': answered === 0,
        }),
      ],
    };
  },
};

function mb(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

async function addReader({ client }: Victim): Promise<string> {
  return (await client.manage.addKey({ scopes: ['stats:read'] })).key;
}

async function askOften(
  address: string,
  target: Target,
  key: string,
  questions: number,
  first: number,
): Promise<{ status: number }[]> {
  const one = stranger(target, { address, connections: 4 });
  const answers = await all(Array(questions).keys(), 4, (number) => {
    const from = new Date(Date.UTC(2016, 11, 1) + (first * 100 + (number % 90)) * 86_400_000);
    const query = new URLSearchParams({
      sdate: from.toISOString().slice(0, 10),
      edate: '2026-11-20',
      fill: 'zero',
      pageSize: '1',
    });
    const path = `/report/statistics/video/v1/info/date?${query}`;
    return one.send({ path, headers: { 'x-api-key': key } });
  });
  one.close();
  return answers;
}

/** What lies in the catalog, without the pages of the file that are free again. */
function bytesInUse({ dataFolder }: Target): number {
  const file = new SqliteFile(join(dataFolder, 'catalog.sqlite'), { readonly: true });
  const read = (name: string) => Number(file.pragma(name, { simple: true }));
  const bytes = (read('page_count') - read('freelist_count')) * read('page_size');
  file.close();
  return bytes;
}
