/** Collects beacons: received -> draft -> facts -> spool -> answer. */
import type { Labels, Publication, Publications } from '../catalog/catalog.ts';
import type { Fact } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import { forPortions, mapPortions } from '../lib/portions.ts';
import type { Result } from '../lib/result.ts';
import type { Room } from '../spool/entrance.ts';
import type { Beacon, BeaconsAnswer } from '../wire/beacon.ts';
import type { AccountLedger, Outcome } from './account-ledger.ts';
import { noteDeclaredLabels, type OwnedDraft } from './audience/set-labels.ts';
import type { CollectLedger } from './collect-ledger.ts';
import type { Steps } from './create-steps.ts';
import type { BeaconContext, BeaconDraft, Refusal, Sender } from './draft.ts';
import {
  createFactParts,
  type FactParts,
  type FactSpool,
  reportsPerPortion,
} from './fact-parts.ts';
import { type KeptCode, outcomeOfFacts } from './outcome-of-facts.ts';
import type { ViewTokens } from './signing/view-tokens.ts';
import type { ValueBook } from './value-book.ts';
import type { Stretch } from './viewers/viewers.ts';

export type { Room };

export interface Collector {
  /** To be awaited before a body is read, with the most beacons that may be in it; see Spool. */
  requireRoom(mostBeacons: number): Promise<Room>;
  /**
   * Resolves when all accepted beacons are durable; rejects with UNAVAILABLE: send all again.
   * Leaves the room, if one was taken, when the spool has all their facts.
   */
  collect(received: readonly unknown[], sender: Sender, room?: Room): Promise<BeaconsAnswer>;
}

interface CollectorOptions {
  readonly publications: Publications;
  readonly labels: Pick<Labels, 'known' | 'markUsed'>;
  readonly steps: Steps;
  readonly spool: FactSpool;
  readonly values: ValueBook;
  /** See `createFactParts`. */
  readonly erased?: (facts: readonly Fact[]) => Promise<ReadonlySet<Fact>>;
  readonly ledger: CollectLedger;
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  /** Not for imports: who has a key needs no token. */
  readonly viewTokens?: ViewTokens;
  readonly clock: Clock;
}

export function createCollector(options: CollectorOptions): Collector {
  const { publications, labels, steps, spool, ledger, accountLedger, viewTokens, clock } = options;
  const pace = { size: reportsPerPortion, takeTurn: spool.takeTurn };
  return {
    requireRoom: spool.requireRoom,
    async collect(received, sender, room) {
      ledger.received(received.length);
      const forms = await mapPortions(received, pace, (beacon) => steps.checkForm(beacon, sender));
      const nowMs = clock.now();
      const find = await lookUp(publications, forms, sender);
      const context: BeaconContext = { sender, nowMs, find };
      const mayHaveTokens = viewTokens && sender.accountId === undefined;
      if (mayHaveTokens && forms.some(hasToken)) await setTokens(forms, find, viewTokens);
      const labelled = labelledIn(forms, find);
      if (labelled.length > 0) await noteDeclaredLabels(labelled, labels);
      const prepared = steps.prepare(stretchesOf(forms, find));
      if (prepared) await prepared;

      const signed = new Set<string>();
      const parts = createFactParts(options, signed);
      const rejected: BeaconsAnswer['rejected'] = [];
      const outcomes: Outcome[] = [];
      const kept: KeptCode[] = [];
      const watched: Watched[] = [];
      const collectOne = (form: Result<BeaconDraft, Refusal>, index: number): readonly Fact[] => {
        const result = form.ok ? steps.beaconToFacts(form.value, context) : form;
        const publication = form.ok ? form.value.publication : undefined;
        const accountId = sender.accountId ?? publication?.accountId;
        // The drafts stay until the last of them is done, and their facts would with them.
        if (form.ok) form.value.facts = [];
        if (!result.ok) {
          rejected.push({ index, ...result.reason });
          outcomes.push({ accountId, code: result.reason.code });
          return [];
        }
        if (form.ok && form.value.signed) signed.add(form.value.signed.view);
        if (publication?.isErased) {
          parts.watchErased();
          watched.push({ at: [outcomes.length, kept.length], facts: result.value.slice(0, 1) });
        }
        const code = outcomeOfFacts(result.value);
        kept.push(code);
        outcomes.push({ accountId, code });
        const leftOut = form.ok ? (form.value.labelsLeftOut ?? 0) : 0;
        for (let label = 0; label < leftOut; label += 1) {
          outcomes.push({ accountId, code: 'LABEL_LEFT_OUT' });
        }
        return result.value;
      };
      try {
        await forPortions(forms, pace, async (portion, start) => {
          let index = start;
          for (const form of portion) {
            const pause = parts.put(collectOne(form, index), 1);
            if (pause) await pause;
            index += 1;
          }
        });
        await parts.end(room);
      } catch (fault) {
        ledger.unavailable(received.length - rejected.length);
        throw fault;
      } finally {
        for (const { code } of rejected) ledger.refused(code);
      }
      noteErased(watched, parts, { kept, outcomes });
      ledger.kept(kept);
      accountLedger.note(outcomes);
      return { accepted: kept.length, rejected };
    },
  };
}

/** A beacon of an account of which something was erased. */
interface Watched {
  /** Where its outcome stands, and its code. */
  readonly at: readonly [outcome: number, kept: number];
  /** Its first: all of them would stay in memory until the last beacon is done. */
  readonly facts: readonly Fact[];
}

function noteErased(
  watched: readonly Watched[],
  parts: Pick<FactParts, 'wereErased'>,
  { kept, outcomes }: { readonly kept: KeptCode[]; readonly outcomes: Outcome[] },
): void {
  for (const { at, facts } of watched) {
    if (!parts.wereErased(facts)) continue;
    const [outcome, place] = at;
    outcomes[outcome] = { accountId: outcomes[outcome]?.accountId, code: 'ERASED' };
    kept[place] = 'ERASED';
  }
}

/** Asks the catalog once for all the videos of a batch. */
async function lookUp(
  publications: Publications,
  forms: readonly Result<BeaconDraft, Refusal>[],
  { accountId }: Sender,
): Promise<BeaconContext['find']> {
  const videoKeys = new Set<string>();
  let byPair: Map<string, Publication | undefined> | undefined;
  for (const form of forms) {
    if (!form.ok) continue;
    const { videoKey, accessKey, packageId } = form.value.beacon;
    if (videoKey !== undefined) videoKeys.add(videoKey);
    if (accountId === undefined || accessKey === undefined || packageId === undefined) continue;
    const pair = pairKey(accessKey, packageId);
    byPair ??= new Map();
    if (byPair.has(pair)) continue;
    byPair.set(pair, await publications.identifyWithin(accountId, accessKey, packageId));
  }
  const byVideoKey = await publications.identify(videoKeys);
  return ({ videoKey, accessKey = '', packageId = 0 }: Beacon) =>
    videoKey === undefined ? byPair?.get(pairKey(accessKey, packageId)) : byVideoKey.get(videoKey);
}

function labelledIn(
  forms: readonly Result<BeaconDraft, Refusal>[],
  find: BeaconContext['find'],
): OwnedDraft[] {
  return forms.flatMap((form) => {
    if (!form.ok || form.value.beacon.labels === undefined) return [];
    const publication = find(form.value.beacon);
    return publication ? [{ draft: form.value, accountId: publication.accountId }] : [];
  });
}

function stretchesOf(
  forms: readonly Result<BeaconDraft, Refusal>[],
  find: BeaconContext['find'],
): Stretch[] {
  return forms.flatMap((form) => {
    const publication = form.ok ? find(form.value.beacon) : undefined;
    return form.ok && publication ? [{ atMs: form.value.atMs, publication }] : [];
  });
}

/** An empty one is none: pages have an attribute that was not filled in. */
function hasToken(form: Result<BeaconDraft, Refusal>): boolean {
  return form.ok && Boolean(form.value.beacon.token);
}

/** Notes with each draft what its token is worth. */
async function setTokens(
  forms: readonly Result<BeaconDraft, Refusal>[],
  find: BeaconContext['find'],
  viewTokens: ViewTokens,
): Promise<void> {
  const asked = forms.flatMap((form) => {
    const token = (form.ok && form.value.beacon.token) || undefined;
    const publication = form.ok && token !== undefined ? find(form.value.beacon) : undefined;
    return form.ok && token !== undefined && publication
      ? [{ draft: form.value, token, publication }]
      : [];
  });
  const checked = await viewTokens.check(asked);
  asked.forEach(({ draft }, index) => {
    draft.token = checked[index];
  });
}

function pairKey(accessKey: string, packageId: number): string {
  return `${packageId} ${accessKey}`;
}
