import { oneAtATime } from './serial-work.ts';

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
