/**
 * Watches the configured host; on a cluster, chooses a host that answers for all shards. A host or
 * a shard that hangs accepts connections and stays silent for minutes. So when the host in use does
 * not answer a small query in time, all requests that wait for it are ended, and the others are
 * tried.
 */

import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { findReason } from './store-failure.ts';

/** How soon a host that hangs is noticed. Overridden in tests. */
export interface HostPatience {
  /** Pause between two looks at the host in use. */
  readonly everyMs: number;
  readonly answersWithinMs: number;
  /** All others are asked at once when half of that is over, or as soon as it fails. */
  readonly othersAnswerWithinMs: number;
}

/**
 * The first two together are well below the two seconds within which a question is answered or
 * refused: it may have been on its way for a while, on a machine with much else to do.
 */
export const usualHostPatience: HostPatience = {
  everyMs: 250,
  answersWithinMs: 1_250,
  othersAnswerWithinMs: 500,
};

export interface HostWatch {
  /** The host to ask, by its place in the list. */
  current(): number;
  /** Why no host answers; undefined while one does. */
  whyNotReady(): string | undefined;
  /** Aborts when this host is given up. */
  signal(host: number): AbortSignal;
  /** Looks at once: a statement could not be sent. */
  hurry(): void;
  stop(): Promise<void>;
}

interface HostWatchOptions {
  readonly hosts: readonly { readonly name: string }[];
  /** Rejects if the host does not answer; ends by the signal alone if it hangs. */
  readonly probe: (host: number, signal: AbortSignal) => Promise<void>;
  /** What does not come, for the operator. */
  readonly awaited: string;
  readonly patience: HostPatience;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function watchHosts(options: HostWatchOptions): HostWatch {
  const { hosts, patience, clock, logger } = options;
  const stopping = new AbortController();
  let hurrying = new AbortController();
  const using = hosts.map(() => new AbortController());
  let looking = new AbortController();
  let current = 0;
  /** Whether the log says that none answers. */
  let isLogged = false;
  let notReady: string | undefined = 'The statistics store has not answered yet';

  const end = (host: number): void => {
    using[host]?.abort();
    using[host] = new AbortController();
  };
  const look = async (): Promise<void> => {
    const asked = askHosts(options, current, looking.signal);
    const reason = await asked.whyNot;
    if (stopping.signal.aborted) return;
    if (reason === undefined) {
      if (isLogged) logger.info({ host: hosts[current]?.name }, 'the statistics store answers');
      isLogged = false;
      notReady = undefined;
      return;
    }
    const found = await asked.instead;
    if (stopping.signal.aborted) return;
    if (found === undefined) {
      if (!isLogged) logger.warn({ reason }, 'the statistics store does not answer');
      isLogged = true;
      notReady = reason;
      for (const host of hosts.keys()) end(host);
      return;
    }
    logger.warn({ reason, instead: hosts[found]?.name }, 'using another host of the cluster');
    notReady = undefined;
    // What could not be sent to it, and was sent to the other one already, goes on.
    end(current);
    current = found;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      looking = new AbortController();
      await look();
      // What came too late keeps no connection busy.
      looking.abort();
      const woken = AbortSignal.any([stopping.signal, hurrying.signal]);
      await sleep(clock, patience.everyMs, woken);
      hurrying = new AbortController();
    }
  };
  const looping = loop();

  return {
    current: () => current,
    whyNotReady: () => notReady,
    signal: (host) => using[host]?.signal ?? stopping.signal,
    hurry: () => hurrying.abort(),
    async stop() {
      stopping.abort();
      looking.abort();
      await looping;
    },
  };
}

/** Asks the one in use and, if it is late or has failed, the others. */
function askHosts(options: HostWatchOptions, current: number, signal: AbortSignal) {
  const { hosts, patience, clock } = options;
  const { answersWithinMs, othersAnswerWithinMs } = patience;
  const whyNot = whyNoAnswer(options, current, { withinMs: answersWithinMs, signal });
  const isLate = sleep(clock, answersWithinMs / 2, signal).then(() => 'it is late');
  const others = [...hosts.keys()].filter((host) => host !== current);
  const ofOthers = { withinMs: othersAnswerWithinMs, signal };
  const instead = Promise.race([whyNot, isLate]).then((reason) =>
    reason === undefined
      ? undefined
      : firstToAnswer(others, (host) => whyNoAnswer(options, host, ofOthers)),
  );
  return { whyNot, instead };
}

/** Undefined if it answers in time. */
async function whyNoAnswer(
  { hosts, probe, awaited, clock }: HostWatchOptions,
  host: number,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const name = hosts[host]?.name;
  const late = new AbortController();
  const tooLate = sleep(clock, withinMs, late.signal).then(
    () => `${name}: no ${awaited} within ${withinMs} ms`,
  );
  const asked = probe(host, signal).then(
    () => undefined,
    (error) => `${name}: ${findReason(error)}`,
  );
  const reason = await Promise.race([asked, tooLate]);
  late.abort();
  return reason;
}

/** Undefined if none answers. */
function firstToAnswer(
  hosts: readonly number[],
  whyNot: (host: number) => Promise<string | undefined>,
): Promise<number | undefined> {
  const asked = hosts.map(async (host) => {
    const reason = await whyNot(host);
    if (reason !== undefined) throw new Error(reason);
    return host;
  });
  return Promise.any(asked).catch(() => undefined);
}
