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
 * Work that has a name, and is not done twice at once under it: while it is done for some, others
 * wait and share the next. So nobody gets the result of work that began before they asked.
 */
export function shareNext(): <Result>(
  name: string,
  work: () => Promise<Result>,
) => Promise<Result> {
  const underWay = new Map<string, { running: Promise<unknown>; next?: Promise<unknown> }>();
  const begin = <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const running = work();
    const own = { running };
    underWay.set(name, own);
    const end = () => {
      const isLast = underWay.get(name)?.next === undefined;
      if (isLast) underWay.delete(name);
    };
    running.then(end, end);
    return running;
  };
  return <Result>(name: string, work: () => Promise<Result>) => {
    const current = underWay.get(name);
    if (current === undefined) return begin(name, work);
    const again = () => begin(name, work);
    current.next ??= current.running.then(again, again);
    // Of one name there is one kind of result.
    return current.next as Promise<Result>;
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
