/** Verdicts as operators give them, and what different nodes know of them. */
import type { VerdictSource } from '../../src/store/facts.ts';
import type { CurrentVerdicts } from '../../src/vocabulary/suspects.ts';

export interface VerdictBook extends VerdictSource {
  /** Of both: the account's epoch rises if that changes what counts. */
  accept(accountId: number, suspect: string): void;
  refuse(accountId: number, suspect: string): void;
  accepted(accountId: number): ReadonlySet<string>;
  /** What a node knows that looks only when asked to. */
  lateReader(): LateReader;
}

interface LateReader extends VerdictSource {
  catchUp(): void;
}

export function verdictBook(): VerdictBook {
  const accounts = new Map<number, { accepted: Set<string>; epoch: number }>();
  const of = (accountId: number) => {
    const own = accounts.get(accountId) ?? { accepted: new Set<string>(), epoch: 0 };
    accounts.set(accountId, own);
    return own;
  };
  const now = (): CurrentVerdicts => ({
    accepted: [...accounts].flatMap(([accountId, { accepted }]) =>
      [...accepted].map((suspect) => ({ accountId, suspect })),
    ),
    epochs: new Map([...accounts].map(([accountId, { epoch }]) => [accountId, epoch])),
  });
  return {
    current: async () => now(),
    accept(accountId, suspect) {
      const own = of(accountId);
      if (!own.accepted.has(suspect)) own.epoch += 1;
      own.accepted.add(suspect);
    },
    refuse(accountId, suspect) {
      const own = of(accountId);
      if (own.accepted.delete(suspect)) own.epoch += 1;
    },
    accepted: (accountId) => of(accountId).accepted,
    lateReader() {
      let known = now();
      return {
        current: async () => known,
        catchUp() {
          known = now();
        },
      };
    },
  };
}
