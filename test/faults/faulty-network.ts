/**
 * A network that loses, doubles, delays and reorders what viewers send, and loses answers. What it
 * does to a message is drawn from the seed; real requests are made of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { servedBy } from '../../scripts/cluster/balancer.ts';
import type { Random } from '../simulation/random.ts';
import { inBatches } from '../simulation/viewers.ts';
import type { LedgerTally } from './ledger-tally.ts';
import { isRight, type Message } from './message.ts';

/** Out of the messages that are sent; the rest goes through as it should. */
const chances = { lost: 0.08, answerLost: 0.07, cut: 0.05, doubled: 0.12, straggling: 0.05 };
const usualDelayMs = 60;
const longDelayMs = 2_000;
const firstRetryPauseMs = 100;
const longestRetryPauseMs = 1_000;
const stragglersAtOnce = 20;
/** Longer than the service lets anybody wait. */
const answerWithinMs = 20_000;
const rememberedFaults = 20;

export interface Traffic {
  sent: number;
  acknowledged: number;
  lost: number;
  answersLost: number;
  doubled: number;
  straggled: number;
  unavailable: number;
  broken: number;
}

export interface FaultyNetwork {
  readonly traffic: Readonly<Traffic>;
  /** Answers that should not have been given. */
  readonly wrongAnswers: readonly string[];
  /** Sends it until it is acknowledged. */
  deliver(message: Message, random: Random): Promise<void>;
  /** Sends it once; whether it was acknowledged. */
  tryOnce(message: Message, random: Random): Promise<boolean>;
  /** Brings in the copies that are still on their way, hours late. */
  settle(): Promise<void>;
}

export function createFaultyNetwork(url: string, tally: LedgerTally): FaultyNetwork {
  const traffic: Traffic = {
    sent: 0,
    acknowledged: 0,
    lost: 0,
    answersLost: 0,
    doubled: 0,
    straggled: 0,
    unavailable: 0,
    broken: 0,
  };
  const wrongAnswers: string[] = [];
  const stragglers: Message[] = [];
  const unheard = new Set<Promise<unknown>>();

  const post = async (message: Message, cutAfterMs = answerWithinMs): Promise<boolean> => {
    traffic.sent += 1;
    const answered = tally.expectAnswer(message);
    try {
      const signal = AbortSignal.timeout(cutAfterMs);
      const response = await fetch(url + message.path, { ...message.init, signal });
      const body = await response.text();
      tally.mayHaveArrived(message);
      if (response.status === 200 && isRight(message, body)) {
        answered(serverOf(response));
        return true;
      }
      if (response.status === 503 && Number(response.headers.get('retry-after')) > 0) {
        traffic.unavailable += 1;
      } else if (wrongAnswers.length < rememberedFaults) {
        wrongAnswers.push(`${message.path}: ${response.status} ${body}, not ${message.expected}`);
      }
    } catch (error) {
      traffic.broken += 1;
      if (!wasRefused(error)) tally.mayHaveArrived(message);
    }
    return false;
  };
  const postUnheard = (message: Message): void => {
    const posting = post(message).finally(() => unheard.delete(posting));
    unheard.add(posting);
  };

  const tryOnce = async (message: Message, random: Random): Promise<boolean> => {
    await sleep(random.below(random.chance(0.2) ? longDelayMs : usualDelayMs));
    if (random.chance(chances.lost)) {
      traffic.lost += 1;
      return false;
    }
    if (random.chance(chances.answerLost)) {
      traffic.answersLost += 1;
      postUnheard(message);
      return false;
    }
    if (random.chance(chances.straggling)) {
      traffic.straggled += 1;
      stragglers.push(message);
    }
    if (random.chance(chances.doubled)) {
      traffic.doubled += 1;
      postUnheard(message);
    }
    const cutAfterMs = random.chance(chances.cut) ? random.between(1, 30) : undefined;
    const isAcknowledged = await post(message, cutAfterMs);
    if (isAcknowledged) traffic.acknowledged += 1;
    return isAcknowledged;
  };

  return {
    traffic,
    wrongAnswers,
    tryOnce,
    async deliver(message, random) {
      let pauseMs = firstRetryPauseMs;
      while (!(await tryOnce(message, random))) {
        await sleep(random.below(pauseMs));
        pauseMs = Math.min(2 * pauseMs, longestRetryPauseMs);
      }
    },
    async settle() {
      for (const some of inBatches(stragglers, stragglersAtOnce)) {
        await Promise.all(some.map((message) => post(message)));
      }
      await Promise.all(unheard);
    },
  };
}

/** Which of several servers it was, if there are several. */
export function serverOf({ headers }: Response): string {
  return headers.get(servedBy) ?? '';
}

/** Nobody listened: what was sent cannot have arrived. */
function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
