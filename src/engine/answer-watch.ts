/** Notices an engine whose process lives but does not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthorization, type EngineAccess } from './running-engine.ts';

const startPollMs = 25;

export interface Patience {
  /** Pause between two probes. */
  readonly everyMs: number;
  /** Time for the listener to answer, which does nothing else for it. */
  readonly pingWithinMs: number;
  /** Time for a query that reads nothing. Any answer counts, also that the engine is too busy. */
  readonly queryWithinMs: number;
  /** Probes in a row without an answer, after which the engine is given up. */
  readonly silentProbes: number;
}

/**
 * A minute for the listener, two and a half for a query. Merges and imports that keep all cores and
 * the disk busy delay these answers by seconds. Probes are counted and not the time: if the service
 * itself stood still, that is one probe lost.
 */
export const usualPatience: Patience = {
  everyMs: 5_000,
  pingWithinMs: 5_000,
  queryWithinMs: 20_000,
  silentProbes: 6,
};

type Probe = 'answered' | 'refused' | 'silent';

/**
 * Resolves to true as soon as an engine that was just started answers, and to false if something
 * listens but does not answer. Until there is a listener it waits: a large store may open slowly.
 */
export async function becomesReady(
  { url }: EngineAccess,
  patience: Patience,
  ended: AbortSignal,
): Promise<boolean> {
  let silent = 0;
  while (!ended.aborted && silent < patience.silentProbes) {
    const probe = await ask(`${url}/ping`, {}, patience.pingWithinMs, ended);
    if (probe === 'answered') return true;
    silent = probe === 'silent' ? silent + 1 : 0;
    await pause(startPollMs, ended);
  }
  return false;
}

/** Resolves when an engine that was ready has been silent for too long, or has ended. */
export async function untilSilent(
  access: EngineAccess,
  patience: Patience,
  ended: AbortSignal,
): Promise<void> {
  const headers = { authorization: createAuthorization(access) };
  const watch = async (path: string, withinMs: number): Promise<void> => {
    let silent = 0;
    while (!ended.aborted && silent < patience.silentProbes) {
      await pause(patience.everyMs, ended);
      const probe = await ask(access.url + path, headers, withinMs, ended);
      silent = probe === 'answered' ? 0 : silent + 1;
    }
  };
  await Promise.race([
    watch('/ping', patience.pingWithinMs),
    watch('/?query=SELECT+1', patience.queryWithinMs),
  ]);
}

async function ask(
  url: string,
  headers: Record<string, string>,
  withinMs: number,
  ended: AbortSignal,
): Promise<Probe> {
  const late = AbortSignal.timeout(withinMs);
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.any([late, ended]) });
    await answer.body?.cancel();
    return 'answered';
  } catch {
    return late.aborted ? 'silent' : 'refused';
  }
}

function pause(delayMs: number, ended: AbortSignal): Promise<void> {
  return sleep(delayMs, undefined, { signal: ended }).catch(() => {});
}
