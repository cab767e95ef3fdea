/** The values of labels: those whose names the account has declared, and that have a form. */

import type { KnownLabel, Labels } from '../../catalog/catalog.ts';
import { isLongerThan } from '../../lib/values/text-length.ts';
import type { Attributes } from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import { maxLabelCharacters, maxLabelsOfBeacon } from '../../wire/beacons/beacon.ts';
import type { BeaconDraft, Step } from '../draft.ts';

/** A draft with the account that its video is of. */
export interface OwnedDraft {
  readonly draft: BeaconDraft;
  readonly accountId: number;
}

/**
 * Notes with each draft which labels its account has declared. A label is marked as used before any
 * value of it is kept. Rejects with UNAVAILABLE.
 */
export async function noteDeclaredLabels(
  drafts: readonly OwnedDraft[],
  labels: Pick<Labels, 'known' | 'markUsed'>,
): Promise<void> {
  const byAccount = Map.groupBy(drafts, ({ accountId }) => accountId);
  for (const [accountId, owned] of byAccount) {
    const unused = await unusedIn(owned, await labels.known(accountId));
    if (unused.length > 0) await labels.markUsed(unused);
    const declared = await labels.known(accountId);
    for (const { draft } of owned) draft.declaredLabels = declared;
  }
}

async function unusedIn(
  drafts: readonly OwnedDraft[],
  known: ReadonlyMap<string, KnownLabel>,
): Promise<number[]> {
  const unused = new Set<number>();
  for (const { draft } of drafts) {
    for (const { label } of keptLabels(draft, known)) {
      if (!label.isUsed) unused.add(label.labelId);
    }
  }
  return [...unused];
}

export const setLabels: Step<BeaconDraft> = {
  name: 'set labels',
  run(draft) {
    const { labels } = draft.beacon;
    if (labels === undefined) return undefined;
    const values: Record<string, string> = {};
    for (const { label, value } of keptLabels(draft, draft.declaredLabels)) {
      // Declared only now, on another node: what is not marked as used is not kept.
      if (!label.isUsed) continue;
      values[`label${label.number}`] = value === otherValue ? value.toLowerCase() : value;
    }
    const refused = Object.keys(labels).filter(
      (name) => draft.declaredLabels?.has(name) && !isLabelValue(labels[name] ?? ''),
    );
    if (refused.length > 0) draft.refusedLabels = refused;
    draft.labelsLeftOut = Object.keys(labels).length - Object.keys(values).length;
    draft.attributes = { ...draft.attributes, ...(values as Attributes) };
    return undefined;
  },
};

interface KeptLabel {
  readonly label: KnownLabel;
  readonly value: string;
}

/** By name, so that the order in which they are reported changes nothing. */
function keptLabels(
  { beacon: { labels = {} } }: BeaconDraft,
  declared: ReadonlyMap<string, KnownLabel> | undefined,
): KeptLabel[] {
  const kept: KeptLabel[] = [];
  for (const name of Object.keys(labels).sort()) {
    const label = declared?.get(name);
    const value = labels[name];
    if (label === undefined || value === undefined || !isLabelValue(value)) continue;
    kept.push({ label, value });
    if (kept.length === maxLabelsOfBeacon) break;
  }
  return kept;
}

export function isLabelValue(value: string): boolean {
  if (isLongerThan(value, maxLabelCharacters)) return false;
  return !/\p{Cc}/u.test(value) && value.isWellFormed();
}
