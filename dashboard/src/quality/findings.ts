/**
 * Which groups of viewers are worse off than all others, by what each costs everybody: (its value
 * less that of the rest) times its size.
 */
import type { Row } from '../questions.ts';

/** What the interface answers of one combination of values, or sums of it. */
export interface Sample {
  readonly attempts: number;
  readonly starts: number;
  /** Of all starts together. */
  readonly startupMs: number;
  readonly exits: number;
  readonly failures: number;
  readonly stalls: number;
  readonly stallMs: number;
  /** Playback and waits of the views that report their waits. */
  readonly watchedMs: number;
}

export interface KeyedSample<Name extends string> extends Sample {
  /** Its value of each dimension. */
  readonly keys: Readonly<Record<Name, string>>;
}

interface Trouble {
  /** What is bad, summed up. */
  readonly amount: (of: Sample) => number;
  /** What it is divided by. */
  readonly size: (of: Sample) => number;
  /** The things that happened by chance, which the amount is the sum of. */
  readonly events: (of: Sample) => number;
}

/**
 * What `stalledTimeShare` divides by, which is no measure of its own. A share of 0 says nothing of
 * it: playback stands for it then, where there are views that report their waits.
 */
export function watchedMsOf({ attempts, stallMs, stalledTimeShare, playMs }: Row): number {
  if (stallMs && stalledTimeShare) return stallMs / stalledTimeShare;
  return attempts ? (playMs ?? 0) : 0;
}

/** In the order in which a sentence names them. */
const troubles = {
  startup: { amount: (of) => of.startupMs, size: (of) => of.starts, events: (of) => of.starts },
  exits: { amount: (of) => of.exits, size: (of) => of.attempts, events: (of) => of.exits },
  failures: { amount: (of) => of.failures, size: (of) => of.attempts, events: (of) => of.failures },
  stalls: { amount: (of) => of.stallMs, size: (of) => of.watchedMs, events: (of) => of.stalls },
} as const satisfies Record<string, Trouble>;
export type TroubleName = keyof typeof troubles;
const troubleNames = Object.keys(troubles) as TroubleName[];

/** Fewer attempts to play say nothing of others: such a group is not ranked. */
export const leastRanked = 20;
/** Of all that is bad in its kind, a group must make up so much. */
export const leastCost = 0.02;
/** A value must be so many times that of the rest, */
const leastFactor = 1.2;
/** and so many standard deviations from it: of many groups, some are far off by chance. */
const leastDeviations = 4;
/** Of what else is wrong with a group that was found. */
const leastFurtherDeviations = 2;
/** A part of a group in which so much of its cost lies is named in its place. */
const narrowShare = 0.75;

export interface TroubleOfGroup {
  readonly name: TroubleName;
  /** Mean or share of the group, and of all others. */
  readonly value: number;
  readonly rest: number;
  /** How much less of it there would be if the group were as the rest is: 0 to 1. */
  readonly cost: number;
}

export interface Finding<Name extends string> {
  /** What its viewers have in common. */
  readonly pairs: readonly (readonly [Name, string])[];
  readonly attempts: number;
  /** Of all samples. */
  readonly allAttempts: number;
  /** The costliest of them decides on its rank. */
  readonly troubles: readonly TroubleOfGroup[];
  readonly cost: number;
}

/** The costliest first; each of what the ones before leave. `least`: what one must cost, 0 to 1. */
export function findGroups<Name extends string>(
  samples: readonly KeyedSample<Name>[],
  most: number,
  least = leastCost,
): Finding<Name>[] {
  const found: Finding<Name>[] = [];
  const whole = sumOf(samples);
  let left = samples;
  while (found.length < most) {
    const group = costliest(left, { whole, least, deviations: leastDeviations });
    if (group === undefined) break;
    const { pairs, sample, cost } = group;
    const { attempts } = sample;
    const limits = { whole, least, deviations: leastFurtherDeviations };
    const troubles = troublesOf(sample, sumOf(left), limits);
    found.push({ pairs, troubles, cost, attempts, allAttempts: whole.attempts });
    left = left.filter((one) => !pairs.every(([name, value]) => one.keys[name] === value));
  }
  return found.sort((one, other) => other.cost - one.cost);
}

/**
 * Whether a finding is but the shadow of another one: of a larger group, which has the same trouble
 * in a weaker form, because many of its viewers are in the other one too.
 */
export function isShadow(
  one: Pick<Finding<string>, 'attempts' | 'troubles'>,
  other: Pick<Finding<string>, 'attempts' | 'troubles'>,
): boolean {
  const contrast = ({ value, rest }: TroubleOfGroup) => value / rest;
  return (
    one.attempts > other.attempts &&
    one.troubles.some((trouble) =>
      other.troubles.some(
        (same) => same.name === trouble.name && contrast(same) > contrast(trouble),
      ),
    )
  );
}

interface Group<Name extends string> {
  readonly pairs: Finding<Name>['pairs'];
  readonly sample: Sample;
}

interface JudgedGroup<Name extends string> extends Group<Name> {
  readonly troubles: readonly TroubleOfGroup[];
  readonly cost: number;
}

interface Limits {
  /** Of which costs are shares. */
  readonly whole: Sample;
  readonly least: number;
  readonly deviations: number;
}

function costliest<Name extends string>(
  samples: readonly KeyedSample<Name>[],
  limits: Limits,
): JudgedGroup<Name> | undefined {
  const all = sumOf(samples);
  const judged = groupsOf(samples).flatMap((group): JudgedGroup<Name>[] => {
    const clear = troublesOf(group.sample, all, limits);
    if (clear.length === 0) return [];
    const cost = Math.max(...clear.map((trouble) => trouble.cost));
    return [{ ...group, troubles: clear, cost }];
  });
  const [first, ...others] = judged;
  if (first === undefined) return undefined;
  const best = others.reduce((one, other) => (other.cost > one.cost ? other : one), first);
  const within = judged.filter(
    (group) => group.cost >= narrowShare * best.cost && isWithin(group, best),
  );
  // Of groups of the same viewers, the one that is said in fewer words.
  return within.reduce((one, other) => {
    const less =
      other.sample.attempts - one.sample.attempts || other.pairs.length - one.pairs.length;
    return less < 0 ? other : one;
  }, best);
}

function isWithin<Name extends string>(part: Group<Name>, whole: Group<Name>): boolean {
  return whole.pairs.every(([name, value]) =>
    part.pairs.some((pair) => pair[0] === name && pair[1] === value),
  );
}

function troublesOf(
  group: Sample,
  all: Sample,
  { whole, least, deviations }: Limits,
): TroubleOfGroup[] {
  const others = differenceOf(all, group);
  if (group.attempts < leastRanked || others.attempts < leastRanked) return [];
  return troubleNames.flatMap((name) => {
    const { amount, size, events }: Trouble = troubles[name];
    if (size(group) === 0 || size(others) === 0) return [];
    const rest = amount(others) / size(others);
    const expected = rest * size(group);
    const excess = amount(group) - expected;
    const expectedEvents = (events(others) / size(others)) * size(group);
    const perEvent = amount(all) / Math.max(1, events(all));
    // One more, because few events scatter more than their square root.
    const deviation = perEvent * (1 + Math.sqrt(expectedEvents));
    const cost = amount(whole) === 0 ? 0 : excess / amount(whole);
    const isClear = excess > deviations * deviation && amount(group) >= leastFactor * expected;
    if (!isClear || cost < least) return [];
    return [{ name, value: amount(group) / size(group), rest, cost }];
  });
}

/** All that samples have in common, by one of their values or several. What is unknown is no group. */
function groupsOf<Name extends string>(samples: readonly KeyedSample<Name>[]): Group<Name>[] {
  const groups = new Map<string, { pairs: (readonly [Name, string])[]; samples: Sample[] }>();
  for (const sample of samples) {
    const known = (Object.entries(sample.keys) as [Name, string][]).filter(
      ([, value]) => value !== 'Unknown' && value !== 'Other',
    );
    for (const pairs of subsetsOf(known)) {
      if (pairs.length === 0) continue;
      const key = JSON.stringify(pairs);
      const group = groups.get(key) ?? { pairs, samples: [] };
      group.samples.push(sample);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ pairs, samples }) => ({ pairs, sample: sumOf(samples) }));
}

function subsetsOf<Item>([first, ...others]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = subsetsOf(others);
  return [...without, ...without.map((some) => [first, ...some])];
}

const nothing: Sample = {
  ...{ attempts: 0, starts: 0, startupMs: 0, exits: 0, failures: 0 },
  ...{ stalls: 0, stallMs: 0, watchedMs: 0 },
};
const counts = Object.keys(nothing) as (keyof Sample)[];

function sumOf(samples: readonly Sample[]): Sample {
  const sum = { ...nothing };
  for (const one of samples) for (const name of counts) sum[name] += one[name];
  return sum;
}

function differenceOf(all: Sample, part: Sample): Sample {
  const left = { ...all };
  for (const name of counts) left[name] -= part[name];
  return left;
}
