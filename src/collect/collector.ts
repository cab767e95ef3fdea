/** Collects beacons: received -> draft -> facts -> spool -> answer. */
import type { Labels, Publications } from '../catalog/catalog.ts';
import type { Result } from '../lib/result.ts';
import { forPortions, mapPortions } from '../lib/tasks/work-portions.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Fact } from '../store/facts.ts';
import {
  type BeaconsAnswer,
  type ImportAnswer,
  maxPlaybackRate,
  refusedLabelDetail,
} from '../wire/beacons/beacon.ts';
import type { AccountLedger, Outcome } from './account-ledger.ts';
import type { DimensionLimits } from './dimension-limits/dimension-limits.ts';
import type { BeaconContext, BeaconDraft, Refusal, Sender } from './draft.ts';
import { noteDeclaredLabels, type OwnedDraft } from './enrich/label-step.ts';
import type { Stretch } from './enrich/viewer/viewers.ts';
import {
  createFactParts,
  type FactParts,
  type FactSpool,
  reportsPerPortion,
} from './fact-parts.ts';
import type { Steps } from './pipeline.ts';
import type { ReceivedToken, ViewTokens } from './signing/view-tokens.ts';
import type { Room } from './spool/admission.ts';
import { type CollectLedger, type KeptCode, outcomeOfFacts } from './steps/outcome-metrics.ts';
import { findPublications } from './steps/publication-lookup.ts';

export type { Room };

export interface Collector {
  /** To be awaited before a body is read, with the most beacons that may be in it; see Spool. */
  requireRoom(mostBeacons: number): Promise<Room> | Room;
  /**
   * Resolves when all accepted beacons are durable; rejects with UNAVAILABLE: send all again.
   * Leaves the room, if one was taken, when the spool has all their facts.
   */
  collect(received: readonly unknown[], sender: Sender, room?: Room): Promise<BeaconsAnswer>;
  /** The same, with what an import reports besides. */
  collectHistory(received: readonly unknown[], accountId: number): Promise<ImportAnswer>;
}

interface CollectorOptions {
  readonly publications: Publications;
  readonly labels: Pick<Labels, 'known' | 'markUsed'>;
  readonly steps: Steps;
  readonly spool: FactSpool;
  readonly values: DimensionLimits;
  /** See `createFactParts`. */
  readonly erased?: (facts: readonly Fact[]) => Promise<ReadonlySet<Fact>>;
  readonly ledger: CollectLedger;
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  /** Throws UNAVAILABLE where this machine's clock is behind; without it the clock is right. */
  readonly requireRightClock?: () => void;
  /** Not for imports: who has a key needs no token. */
  readonly viewTokens?: ViewTokens;
  readonly clock: Clock;
}

export function createCollector(options: CollectorOptions): Collector {
  const { steps, spool, ledger, accountLedger, requireRightClock } = options;
  const pace = { size: reportsPerPortion, takeTurn: spool.takeTurn };
  const collectAll = async <Answer>(
    { received, sender, room }: CollectRequest,
    toAnswer: (counts: ImportAnswer) => Answer,
  ): Promise<Answer> => {
    ledger.received(received.length);
    // Each wait for what is there already would cost a beacon as much as a step does.
    const checking = mapPortions(received, pace, (beacon) => steps.checkForm(beacon, sender));
    const forms = checking instanceof Promise ? await checking : checking;
    const looking = lookUp(forms, sender, options);
    const context = looking instanceof Promise ? await looking : looking;
    const parts = createFactParts(options, sender);
    const rejected: BeaconsAnswer['rejected'] = [];
    const bounded: NonNullable<BeaconsAnswer['bounded']> = [];
    const refusedLabels: NonNullable<BeaconsAnswer['refusedLabels']> = [];
    const kept: KeptOutcome[] = [];
    const others: Outcome[] = [];
    const watched: Watched[] = [];
    const collectOne = (form: Result<BeaconDraft, Refusal>, index: number): readonly Fact[] => {
      const result = form.ok ? steps.beaconToFacts(form.value, context) : form;
      const publication = form.ok ? form.value.publication : undefined;
      const accountId = sender.accountId ?? publication?.accountId;
      // The drafts stay until the last of them is done, and their facts would with them.
      if (form.ok) form.value.facts = noFacts;
      if (!result.ok) {
        // Refused for good, it would be lost.
        if (result.reason.code === 'IN_FUTURE') requireRightClock?.();
        rejected.push({ index, ...result.reason });
        others.push({ accountId, code: result.reason.code });
        return noFacts;
      }
      if (form.ok && form.value.signed) parts.noteSigned(form.value.signed.view);
      if (publication?.isErased) {
        parts.watchErased();
        watched.push({ at: kept.length, facts: result.value.slice(0, 1) });
      }
      kept.push({ accountId, code: outcomeOfFacts(result.value) });
      if (form.ok) {
        noteLeftOut(form.value, accountId, others);
        noteBounded(form.value, index, bounded);
        noteRefusedLabels(form.value, index, refusedLabels);
      }
      return result.value;
    };
    try {
      const collecting = forPortions(forms, pace, putEach(parts, collectOne));
      if (collecting) await collecting;
      // Whether these were erased is known only once the facts are durable.
      const unknown = new Set(watched.map(({ at }) => at));
      const known = unknown.size === 0 ? kept : kept.filter((_, at) => !unknown.has(at));
      await parts.end(room, kept.length === 0 ? [] : [...known, ...others]);
    } catch (fault) {
      ledger.unavailable(received.length - rejected.length);
      accountLedger.note(kept.map(({ accountId }) => ({ accountId, code: 'UNAVAILABLE' })));
      throw fault;
    } finally {
      for (const { code } of rejected) ledger.refused(code);
    }
    const erased = noteErased(watched, parts, kept);
    for (const { code } of kept) ledger.kept(code);
    accountLedger.note(kept.length === 0 ? others : watched.map(({ at }) => kept[at] as Outcome));
    return toAnswer({
      accepted: kept.length,
      rejected,
      ...(bounded.length > 0 && { bounded }),
      ...(refusedLabels.length > 0 && { refusedLabels }),
      erased,
    });
  };
  return {
    requireRoom: spool.requireRoom,
    collect: (received, sender, room) => collectAll({ received, sender, room }, toBeaconsAnswer),
    collectHistory: (received, accountId) =>
      collectAll({ received, sender: { accountId } }, (counts) => counts),
  };
}

function toBeaconsAnswer({ erased: _, ...answer }: ImportAnswer): BeaconsAnswer {
  return answer;
}

const noFacts: readonly Fact[] = [];

type KeptOutcome = Outcome & { readonly code: KeptCode };

type Forms = readonly Result<BeaconDraft, Refusal>[];

interface CollectRequest {
  readonly received: readonly unknown[];
  readonly sender: Sender;
  readonly room?: Room | undefined;
}

type CollectOne = (form: Forms[number], index: number) => readonly Fact[];

/** For portions: puts the facts of each form with the parts, and waits where they want it. */
function putEach(parts: FactParts, collectOne: CollectOne) {
  return function put(portion: Forms, start: number): Promise<void> | undefined {
    let index = start;
    for (const form of portion) {
      const pause = parts.put(collectOne(form, index), 1);
      index += 1;
      const next = index;
      if (pause) return pause.then(() => put(portion.slice(next - start), next));
    }
    return undefined;
  };
}

/** Asks others for everything that the steps need to know; rarely a promise. */
function lookUp(
  forms: Forms,
  sender: Sender,
  options: CollectorOptions,
): Promise<BeaconContext> | BeaconContext {
  const nowMs = options.clock.now();
  const finding = findPublications(options.publications, forms, sender);
  return finding instanceof Promise
    ? finding.then((find) => prepare(forms, { sender, nowMs, find }, options))
    : prepare(forms, { sender, nowMs, find: finding }, options);
}

/** The context, once others have said what they know of its beacons. */
function prepare(
  forms: Forms,
  context: BeaconContext,
  { labels, steps, viewTokens }: CollectorOptions,
): Promise<BeaconContext> | BeaconContext {
  const { stretches, labelled, tokens } = survey(forms, context.find);
  // Who has a key needs no token.
  const isOpen = context.sender.accountId === undefined;
  const checking = isOpen && tokens.length > 0 ? viewTokens : undefined;
  if (!checking && labelled.length === 0) {
    return steps.prepare(stretches)?.then(() => context) ?? context;
  }
  return Promise.resolve(checking && noteTokens(tokens, checking))
    .then(() => noteDeclaredLabels(labelled, labels))
    .then(() => steps.prepare(stretches))
    .then(() => context);
}

/** A draft with the token that came with it. */
interface WithToken extends ReceivedToken {
  readonly draft: BeaconDraft;
}

interface Survey {
  readonly stretches: Stretch[];
  readonly labelled: OwnedDraft[];
  readonly tokens: WithToken[];
}

/** What of a request others have to be asked about, as far as its videos are known. */
function survey(forms: Forms, find: BeaconContext['find']): Survey {
  const found: Survey = { stretches: [], labelled: [], tokens: [] };
  for (const form of forms) {
    if (!form.ok) continue;
    const draft = form.value;
    const publication = find(draft.beacon);
    if (!publication) continue;
    const { token, labels } = draft.beacon;
    found.stretches.push({ atMs: draft.atMs, publication });
    if (labels) found.labelled.push({ draft, accountId: publication.accountId });
    // An empty one is none: pages have an attribute that was not filled in.
    if (token) found.tokens.push({ draft, token, publication });
  }
  return found;
}

/** Notes with each draft what its token is worth. */
async function noteTokens(tokens: readonly WithToken[], viewTokens: ViewTokens): Promise<void> {
  const checked = await viewTokens.check(tokens);
  tokens.forEach(({ draft }, index) => {
    draft.token = checked[index];
  });
}

function noteLeftOut(
  { labelsLeftOut = 0 }: BeaconDraft,
  accountId: number | undefined,
  outcomes: Outcome[],
): void {
  for (let label = 0; label < labelsLeftOut; label += 1) {
    outcomes.push({ accountId, code: 'LABEL_LEFT_OUT' });
  }
}

/** The sender is told: its clock or its player is wrong. */
function noteBounded(
  { mediaMs = 0, playMs }: BeaconDraft,
  index: number,
  bounded: NonNullable<BeaconsAnswer['bounded']>,
): void {
  const value = playMs * maxPlaybackRate;
  if (mediaMs > value) bounded.push({ index, member: 'mediaMs', value });
}

/** The sender is told, or the label would be Unknown without a word. */
function noteRefusedLabels(
  { refusedLabels = [] }: BeaconDraft,
  index: number,
  noted: NonNullable<BeaconsAnswer['refusedLabels']>,
): void {
  for (const label of refusedLabels) noted.push({ index, label, detail: refusedLabelDetail });
}

/** A beacon of an account of which something was erased. */
interface Watched {
  /** Where its outcome stands. */
  readonly at: number;
  /** Its first: all of them would stay in memory until the last beacon is done. */
  readonly facts: readonly Fact[];
}

/** How many of them were left out. */
function noteErased(
  watched: readonly Watched[],
  parts: Pick<FactParts, 'wereErased'>,
  kept: KeptOutcome[],
): number {
  let erased = 0;
  for (const { at, facts } of watched) {
    if (!parts.wereErased(facts)) continue;
    kept[at] = { accountId: kept[at]?.accountId, code: 'ERASED' };
    erased += 1;
  }
  return erased;
}
