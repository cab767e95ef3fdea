import { useMemo } from 'react';
import type { QueryDimension } from '../../../client/src/index.ts';
import { cellOf } from '../filters/dimensions.ts';
import type { Answer, Row } from '../questions.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { type Finding, findGroups, isShadow, type KeyedSample, watchedMsOf } from './findings.ts';

const measures = [
  ...(['attempts', 'starts', 'startupMs', 'exitsBeforeStart', 'failures'] as const),
  ...(['stalls', 'stallMs', 'stalledTimeShare', 'playMs'] as const),
] as const;
/** Asked together, so that a group may be of several: Android in Brazil on one host. */
const delivery = ['os', 'country', 'mediaHost'] as const;
const content = ['video', 'player', 'connection'] as const;
const days = ['date'] as const;
export type GroupName = (typeof delivery | typeof content)[number];

/** Combinations of an answer. */
export const mostCombinations = 1_000;
const mostOfDay = 2;
const mostFindings = 5;

export interface FoundGroup extends Omit<Finding<GroupName>, 'pairs'> {
  /** None: all viewers of a day. */
  readonly pairs: Finding<GroupName>['pairs'];
  /** The one day that it is of; undefined: the whole period. */
  readonly day?: string;
}

export function useFindings() {
  const { view } = useView();
  const isOneDay = view.from === view.to;
  const byDay = useQuestion(parametersFor(view, days), { enabled: !isOneDay });
  // What was asked for more days is kept for a while.
  const daysOfPeriod = isOneDay ? undefined : byDay.data;
  // Of many days one costs little.
  const day = useMemo(() => findGroups(samplesOf(daysOfPeriod, days), 1, 0)[0], [daysOfPeriod]);
  const worst = day?.pairs[0]?.[1];
  const ofDay = useQuestion(
    parametersFor({ ...view, from: worst ?? view.to, to: worst ?? view.to }, delivery),
    { enabled: worst !== undefined },
  );
  const byDelivery = useQuestion(parametersFor(view, delivery));
  const byContent = useQuestion(parametersFor(view, content));
  const found = useMemo(() => {
    const isOfDay = worst !== undefined && ofDay.data?.asked.sdate === worst;
    const ofWorst = isOfDay ? findGroups(samplesOf(ofDay.data, delivery), mostOfDay) : [];
    const onDay = ofWorst.length > 0 || !isOfDay ? ofWorst : [{ ...day, pairs: [] } as FoundGroup];
    const named = new Set(onDay.map(({ pairs }) => JSON.stringify(pairs)));
    const ofDelivery = findGroups(samplesOf(byDelivery.data, delivery), mostFindings);
    const ofContent = findGroups(samplesOf(byContent.data, content), mostFindings);
    const ofPeriod = [
      ...ofDelivery.filter(({ pairs }) => !named.has(JSON.stringify(pairs))),
      ...ofContent.filter((one) => !ofDelivery.some((other) => isShadow(one, other))),
    ];
    return [
      ...onDay.map((one): FoundGroup => ({ ...one, ...(worst !== undefined && { day: worst }) })),
      ...ofPeriod.sort((one, other) => other.cost - one.cost),
    ].slice(0, mostFindings) as FoundGroup[];
  }, [day, worst, ofDay.data, byDelivery.data, byContent.data]);
  const asked = [byDelivery, byContent, ...(isOneDay ? [] : [byDay])];
  const all = worst === undefined ? asked : [...asked, ofDay];
  return {
    found,
    titles: useMemo(() => titlesOf(byContent.data?.rows ?? []), [byContent.data]),
    failed: all.find(({ error, data }) => error && !data),
    isPending: all.some(({ isPending }) => isPending),
    old: all.find(({ isPlaceholderData }) => isPlaceholderData)?.data,
  };
}

function parametersFor(view: View, dimensions: readonly QueryDimension[]) {
  return {
    ...parametersOf({ ...view, compare: 'none' }),
    ...{ measures, dimensions, sort: ['-attempts'] as const, pageSize: mostCombinations },
  };
}

function samplesOf<Name extends QueryDimension>(
  answer: Answer | undefined,
  names: readonly Name[],
): KeyedSample<Name>[] {
  // While other dimensions are on their way, the rows of the last ones are still there.
  const rows = answer?.rows.filter((row) => names.every((name) => name in row)) ?? [];
  return rows.map((row) => ({
    keys: Object.fromEntries(names.map((name) => [name, String(cellOf(row, name))])) as Record<
      Name,
      string
    >,
    attempts: row.attempts ?? 0,
    starts: row.starts ?? 0,
    startupMs: (row.startupMs ?? 0) * (row.starts ?? 0),
    exits: row.exitsBeforeStart ?? 0,
    failures: row.failures ?? 0,
    stalls: row.stalls ?? 0,
    stallMs: row.stallMs ?? 0,
    watchedMs: watchedMsOf(row),
  }));
}

function titlesOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ video = '', videoTitle = '' }) => [video, videoTitle || video]));
}
