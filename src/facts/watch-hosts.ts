/**
 * Chooses the host of a cluster that is asked, by whether it answers for all shards. A host or a
 * shard that hangs accepts connections and says nothing, for minutes: when the one in use does not
 * answer a small question in time, what waits for it is ended, and the others are tried.
 */
import { type Clock, sleep } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { HostPatience } from './cluster-access.ts';
import { reasonOf } from './store-failure.ts';

export interface HostWatch {
  /** The host to ask, by its place in the list. */
  current(): number;
  /** Why no host answers for all shards; undefined while one does. */
  whyNotReady(): string | undefined;
  /** Aborts when the host in use is given up. */
  signal(): AbortSignal;
  /** Looks at once: a statement could not be sent. */
  hurry(): void;
  stop(): Promise<void>;
}

interface HostWatchOptions {
  readonly hosts: readonly { readonly name: string }[];
  /** Rejects if the host does not answer for all shards; never resolves if it hangs. */
  readonly probe: (host: number) => Promise<void>;
  readonly patience: HostPatience;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function watchHosts(options: HostWatchOptions): HostWatch {
  const { hosts, probe, patience, clock, logger } = options;
  const stopping = new AbortController();
  let hurrying = new AbortController();
  let using = new AbortController();
  let current = 0;
  let notReady: string | undefined = 'The statistics cluster has not answered yet';

  const answers = async (host: number, withinMs: number): Promise<string | undefined> => {
    const name = hosts[host]?.name;
    const late = new AbortController();
    const tooLate = sleep(clock, withinMs, late.signal).then(
      () => `${name}: no answer for all shards within ${withinMs} ms`,
    );
    const asked = probe(host).then(
      () => undefined,
      (error) => `${name}: ${reasonOf(error)}`,
    );
    const reason = await Promise.race([asked, tooLate]);
    late.abort();
    return reason;
  };
  const giveUp = (reason: string | undefined): void => {
    if (reason !== undefined && notReady === undefined) {
      logger.warn({ reason }, 'the statistics cluster does not answer');
    }
    notReady = reason;
    using.abort();
    using = new AbortController();
  };
  const look = async (): Promise<void> => {
    const reason = await answers(current, patience.answersWithinMs);
    if (reason === undefined) {
      if (notReady !== undefined) {
        logger.info({ host: hosts[current]?.name }, 'the statistics cluster answers');
      }
      notReady = undefined;
      return;
    }
    const others = hosts.map((_, host) => host).filter((host) => host !== current);
    const found = await firstToAnswer(others, (host) =>
      answers(host, patience.othersAnswerWithinMs),
    );
    if (found === undefined) return giveUp(reason);
    logger.warn({ reason, instead: hosts[found]?.name }, 'using another host of the cluster');
    current = found;
    giveUp(undefined);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look();
      const woken = AbortSignal.any([stopping.signal, hurrying.signal]);
      await sleep(clock, patience.everyMs, woken);
      hurrying = new AbortController();
    }
  };
  const looping = loop();

  return {
    current: () => current,
    whyNotReady: () => notReady,
    signal: () => using.signal,
    hurry: () => hurrying.abort(),
    async stop() {
      stopping.abort();
      await looping;
    },
  };
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
