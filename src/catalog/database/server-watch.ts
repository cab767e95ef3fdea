/**
 * Notices a database server that hangs: it keeps connections open and says nothing. A statement may
 * take long, or wait for others, so it is no sign of that by itself. When one takes long the server
 * is asked over a connection of its own, and waited for only while it answers that.
 */
import type { Clock } from '../../lib/time/clock.ts';

/** With the time to answer well below the two seconds within which a question is refused. */
const lookAfterMs = 250;
/** For so long nobody waits for a server that said nothing. */
const refusedForMs = 1_000;

export interface ServerWatch {
  /** Why the server said nothing a moment ago: it is asked again, and until then not to be used. */
  whySilent(): Error | undefined;
  /** The server has answered something. */
  noteAnswer(): void;
  /** Rejects with the reason, before `giveUp`, if the server says nothing, or after the bound. */
  whileItAnswers<Answer>(answer: Promise<Answer>, bound: WaitBound): Promise<Answer>;
}

interface WaitBound {
  readonly giveUp: () => void;
  /** Whatever the server says; default: no bound. */
  readonly withinMs?: number;
}

interface WatchOptions {
  readonly clock: Clock;
  /**
   * Resolves to the reason if the server says nothing, and to undefined if it answers. The signal
   * aborts when nobody wants to know any more.
   */
  readonly whySilent: (unneeded: AbortSignal) => Promise<Error | undefined>;
}

export function watchServer({ clock, whySilent }: WatchOptions): ServerWatch {
  const waiting = new Set<(cause: Error) => void>();
  let looking: Promise<void> | undefined;
  let silence: { readonly cause: Error; readonly atMs: number } | undefined;

  let answers = 0;

  let unneeded = new AbortController();

  const ask = async (): Promise<void> => {
    const before = answers;
    unneeded = new AbortController();
    const { signal } = unneeded;
    const reason = await whySilent(signal);
    if (signal.aborted) return;
    // A server that answers others is only too busy for one more.
    const cause = answers === before ? reason : undefined;
    silence = cause && { cause, atMs: clock.monotonic() };
    if (cause) for (const giveUp of [...waiting]) giveUp(cause);
  };
  /** Once for all who want to know. */
  const look = (): Promise<void> => {
    looking ??= ask().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    noteAnswer() {
      answers += 1;
    },
    whySilent() {
      const { cause, atMs = 0 } = silence ?? {};
      if (cause === undefined || clock.monotonic() - atMs >= refusedForMs) return undefined;
      void look();
      return cause;
    },
    whileItAnswers(answer, { giveUp, withinMs = Number.POSITIVE_INFINITY }) {
      return new Promise((resolve, reject) => {
        const beganAtMs = clock.monotonic();
        const end = (cause: Error): void => {
          reject(cause);
          giveUp();
        };
        let cancel = () => {};
        const wait = (): void => {
          cancel = clock.after(lookAfterMs, async () => {
            await look();
            if (!waiting.has(end)) return;
            if (clock.monotonic() - beganAtMs < withinMs) wait();
            else end(new Error(`no answer within ${withinMs} ms`));
          });
        };
        waiting.add(end);
        wait();
        void answer.then(resolve, reject).finally(() => {
          waiting.delete(end);
          if (waiting.size === 0) unneeded.abort();
          cancel();
        });
      });
    },
  };
}
