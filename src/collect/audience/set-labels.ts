/** The values of labels: those whose names the account has declared, and that have a form. */
import type { KnownLabel, Labels } from '../../catalog/catalog.ts';
import type { Attributes } from '../../facts/facts.ts';
import { otherValue } from '../../wire/statistics.ts';
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
    for (const name of Object.keys(draft.beacon.labels ?? {})) {
      const label = known.get(name);
      if (label && !label.isUsed) unused.add(label.labelId);
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
    let leftOut = 0;
    for (const [name, value] of Object.entries(labels)) {
      const label = draft.declaredLabels?.get(name);
      // Declared only now, on another node: what is not marked as used is not kept.
      if (!label?.isUsed || !isPlain(value)) leftOut += 1;
      else values[`label${label.number}`] = value === otherValue ? value.toLowerCase() : value;
    }
    draft.labelsLeftOut = leftOut;
    draft.attributes = { ...draft.attributes, ...(values as Attributes) };
    return undefined;
  },
};

function isPlain(value: string): boolean {
  return !/\p{Cc}/u.test(value) && value.isWellFormed();
}
