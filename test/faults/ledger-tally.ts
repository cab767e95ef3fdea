/**
 * What the ledger has to show, as far as its promise goes: all that was answered, but for what a
 * killed server had counted and not written yet. Whoever asks a server for its ledger makes it
 * write, so everything that it answered before the last question to it must be there.
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

/** What one server answered between two kills, by account. */
type RunOfAccounts = Map<number, Run>;

export interface LedgerTally {
  /** To be called for every copy of a message but those that cannot have arrived. */
  mayHaveArrived(message: Message): void;
  /** To be called when a message is posted; the function it gives, when a server answers it. */
  expectAnswer(message: Message): (server: string) => void;
  /** To be called before the ledger of an account is asked; the function it gives, after it. */
  asking(account: TestAccount): (server: string) => void;
  /** The server has been killed. */
  killed(server: string): void;
  /** Of an account whose ledger has just been asked. */
  bounds(account: TestAccount): LedgerBounds;
}

/**
 * `withWorkers`: servers of several processes, only one of which a question makes write. Nothing
 * that they answered is certain.
 */
export function createLedgerTally(withWorkers: ReadonlySet<string> = new Set()): LedgerTally {
  const arrived = new Map<number, Sums>();
  const runs: RunOfAccounts[] = [];
  const current = new Map<string, RunOfAccounts>();
  const begin = (server: string): RunOfAccounts => {
    const run: RunOfAccounts = new Map();
    runs.push(run);
    current.set(server, run);
    return run;
  };
  const ofAccount = (run: RunOfAccounts, accountId: number): Run => {
    const found = run.get(accountId) ?? { answered: nothing(), certain: nothing() };
    run.set(accountId, found);
    return found;
  };

  return {
    mayHaveArrived({ account, counted, refused }) {
      const before = arrived.get(account.accountId) ?? nothing();
      arrived.set(account.accountId, add(before, { counted, refused }));
    },
    expectAnswer({ account, counted, refused }) {
      // Posted to a server that is killed just then, it may be its successor that answers: then
      // this leaves it with the dead one, as uncertain.
      const before = new Map(current);
      return (server) => {
        if (withWorkers.has(server)) return;
        const ofServer = before.get(server) ?? current.get(server) ?? begin(server);
        const run = ofAccount(ofServer, account.accountId);
        run.answered = add(run.answered, { counted, refused });
      };
    },
    asking({ accountId }) {
      const before = new Map(
        [...current].map(([server, ofServer]) => {
          const run = ofAccount(ofServer, accountId);
          return [server, { run, answered: run.answered }];
        }),
      );
      return (server) => {
        const asked = before.get(server);
        if (asked) asked.run.certain = asked.answered;
      };
    },
    killed(server) {
      begin(server);
    },
    bounds({ accountId }) {
      const least = runs
        .map((run) => ofAccount(run, accountId).certain)
        .reduce((sum, certain) => add(sum, certain), nothing());
      const most = arrived.get(accountId) ?? nothing();
      return { counted: [least.counted, most.counted], refused: [least.refused, most.refused] };
    },
  };
}

function nothing(): Sums {
  return { counted: 0, refused: 0 };
}

function add(one: Sums, other: Sums): Sums {
  return { counted: one.counted + other.counted, refused: one.refused + other.refused };
}
