/** Viewers who watch while something is measured, as `live` sees them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../test/support/wait-until.ts';
import { type BenchAccount, type BenchService, collectPath } from './bench-service.ts';

export const viewersAtOnce = 2_000;
const perRequest = 500;
/** `live` takes for playing what was reported within 15 s. */
const reportEveryMs = 5_000;
const seenWithinMs = 30_000;

export async function whilePlaying<Result>(
  service: BenchService,
  account: BenchAccount,
  run: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const { signal } = ended;
  const views = Array.from({ length: viewersAtOnce }, () => randomUUID());
  const beganAt = Date.now() - 1_000;
  await report(service, account, { views, beganAt });
  const reporting = (async () => {
    while (!signal.aborted) {
      await sleep(reportEveryMs, undefined, { signal }).catch(() => {});
      await report(service, account, { views, beganAt });
    }
  })();
  try {
    await allSeen(service, account);
    return await run();
  } finally {
    ended.abort();
    await reporting;
  }
}

async function report(
  { url }: BenchService,
  { videoKeys, key }: BenchAccount,
  { views, beganAt }: { readonly views: readonly string[]; readonly beganAt: number },
): Promise<void> {
  const at = new Date(beganAt).toISOString();
  const playMs = Date.now() - beganAt;
  const beacons = views.map((view, index) => ({
    ...{ view, stretch: 0, at, playMs, position: 0, mediaMs: playMs },
    videoKey: videoKeys[index % videoKeys.length],
  }));
  for (let from = 0; from < beacons.length; from += perRequest) {
    const answer = await fetch(url + collectPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ beacons: beacons.slice(from, from + perRequest) }),
    });
    if (!answer.ok) throw new Error(`Reports were answered ${answer.status}`);
  }
}

function allSeen({ url }: BenchService, { key }: BenchAccount): Promise<void> {
  const isSeen = async () => {
    const answer = await fetch(`${url}/report/statistics/video/v2/live`, {
      headers: { 'x-api-key': key },
    });
    const { data } = (await answer.json()) as { data?: { playing: number } };
    return data?.playing === viewersAtOnce;
  };
  return waitUntil('all who play to be seen', isSeen, seenWithinMs);
}
