/** Runs each piece of work after the one before it has ended, whether it succeeded or failed. */
export function oneAtATime(): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Whoever asks while the work is being done gets its result; it is not done a second time. */
export function shareRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Does the work for many at once: while it is done for some, others wait and go together next. What
 * is wanted several times under one name is done once.
 */
export function combineWork<Wanted>(
  work: (wanted: readonly Wanted[]) => Promise<void>,
): (wanted: ReadonlyMap<string, Wanted>) => Promise<void> {
  const inTurn = oneAtATime();
  let waiting = new Map<string, Wanted>();
  let next: Promise<void> | undefined;
  return (wanted) => {
    for (const [name, one] of wanted) waiting.set(name, one);
    next ??= inTurn(() => {
      const all = [...waiting.values()];
      waiting = new Map();
      next = undefined;
      return work(all);
    });
    return next;
  };
}
