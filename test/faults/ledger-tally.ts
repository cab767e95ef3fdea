/**
 * What the ledger has to show, as far as its promise goes: all that was answered, but for what a
 * killed process had counted and not written yet. Whoever asks a process for its ledger makes it
 * write, so everything answered before the last question to it must be there.
 */
import type { TestAccount } from '../support/service.ts';
import type { Message } from './message.ts';

interface LedgerBounds {
  readonly counted: readonly [least: number, most: number];
  readonly refused: readonly [least: number, most: number];
}

interface Sums {
  counted: number;
  refused: number;
}

interface Run {
  answered: Sums;
  /** Of these, what was answered before the last question. */
  certain: Sums;
}

export interface LedgerTally {
  /** To be called for every copy of a message but those that cannot have arrived. */
  mayHaveArrived(message: Message): void;
  /** To be called when a message is posted; the function it gives, when that is answered. */
  expectAnswer(message: Message): () => void;
  /** To be called before the ledger of an account is asked; the function it gives, after it. */
  asking(account: TestAccount): () => void;
  /** The process has been killed. */
  killed(): void;
  /** Of an account whose ledger has just been asked. */
  bounds(account: TestAccount): LedgerBounds;
}

export function createLedgerTally(): LedgerTally {
  const arrived = new Map<number, Sums>();
  const runs: Map<number, Run>[] = [new Map()];
  const ofAccount = (run: Map<number, Run>, accountId: number): Run => {
    const found = run.get(accountId) ?? { answered: nothing(), certain: nothing() };
    run.set(accountId, found);
    return found;
  };
  const currentRun = () => runs.at(-1) as Map<number, Run>;

  return {
    mayHaveArrived({ account, counted, refused }) {
      const before = arrived.get(account.accountId) ?? nothing();
      arrived.set(account.accountId, add(before, { counted, refused }));
    },
    expectAnswer({ account, counted, refused }) {
      // Posted to a process that is killed just then, it may be its successor that answers: then
      // this leaves it with the dead one, as uncertain.
      const run = ofAccount(currentRun(), account.accountId);
      return () => {
        run.answered = add(run.answered, { counted, refused });
      };
    },
    asking({ accountId }) {
      const run = ofAccount(currentRun(), accountId);
      const before = run.answered;
      return () => {
        run.certain = before;
      };
    },
    killed() {
      runs.push(new Map());
    },
    bounds({ accountId }) {
      const least = runs
        .map((run) => ofAccount(run, accountId).certain)
        .reduce((sum, certain) => add(sum, certain), nothing());
      const most = arrived.get(accountId) ?? nothing();
      return {
        counted: [least.counted, most.counted],
        refused: [least.refused, most.refused],
      };
    },
  };
}

function nothing(): Sums {
  return { counted: 0, refused: 0 };
}

function add(one: Sums, other: Sums): Sums {
  return { counted: one.counted + other.counted, refused: one.refused + other.refused };
}
