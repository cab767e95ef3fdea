/** Collects CMCD events: lines -> events, stored -> their neighbours -> drafts -> facts. */
import type { Publication, PublicationNumbers, Publications } from '../../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import { forPortions } from '../../../lib/tasks/work-portions.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Fact, PlayerEvent } from '../../../store/facts.ts';
import { Fault } from '../../../vocabulary/faults.ts';
import type { BeaconsAnswer } from '../../../wire/beacons/beacon.ts';
import type { AccountLedger, Outcome } from '../../account-ledger.ts';
import type { DimensionLimits } from '../../dimension-limits/dimension-limits.ts';
import type { Draft, Refusal, Sender } from '../../draft.ts';
import {
  createFactParts,
  type FactParts,
  type FactSpool,
  reportsPerPortion,
} from '../../fact-parts.ts';
import type { Steps } from '../../pipeline.ts';
import { refuseUnsigned, tokenAt } from '../../signing/signature-step.ts';
import type { CheckedToken, ViewTokens } from '../../signing/view-tokens.ts';
import type { Room } from '../../spool/admission.ts';
import type { Spool } from '../../spool/spool.ts';
import type { EventReader } from '../../steps/event-reader.ts';
import { createAgreement } from '../../steps/instant-agreement.ts';
import { refuseOrigin } from '../../steps/origin-step.ts';
import { type CollectLedger, type KeptCode, outcomeOfFacts } from '../../steps/outcome-metrics.ts';
import { refuseTime } from '../../steps/time-step.ts';
import { identifyView } from '../../steps/view-identity.ts';
import { readCmcdEvent } from './cmcd-event.ts';
import { createEventAllowance, type EventAllowance, tooManyEvents } from './event-allowance.ts';
import type { WatchSequence } from './sequence-watch.ts';
import { createNotes, createViewDrafts } from './view-drafts.ts';

export interface CmcdSender extends Sender {
  /** Vouches for everything in the request. */
  readonly token?: string | undefined;
}

export interface CmcdCollector {
  /** To be awaited before a body is read, with the most events that may be in it; see Spool. */
  requireRoom(mostEvents: number): Promise<Room>;
  /**
   * Resolves when all accepted events are durable; rejects with UNAVAILABLE: send all again, and
   * with GONE or NOT_FOUND where there is no such video. Leaves the room, if one was taken, when
   * all that comes of the lines is in the spools.
   */
  collect(
    videoKey: string,
    lines: readonly string[],
    sender: CmcdSender,
    room?: Room,
  ): Promise<BeaconsAnswer>;
}

interface CmcdCollectorOptions {
  readonly publications: Publications;
  readonly steps: Pick<Steps, 'refuseBot' | 'prepare' | 'toFacts'>;
  readonly spool: FactSpool;
  readonly values: DimensionLimits;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add' | 'requireRoom'>;
  readonly events: EventReader;
  readonly ledger: CollectLedger;
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly watchSequence: WatchSequence;
  /** See Collector. */
  readonly requireRightClock?: () => void;
  readonly viewTokens: ViewTokens;
  readonly clock: Clock;
}

export function createCmcdCollector(options: CmcdCollectorOptions): CmcdCollector {
  const { steps, spool, eventSpool, ledger, accountLedger, clock } = options;
  const pace = { size: reportsPerPortion, takeTurn: spool.takeTurn };
  const allowance = createEventAllowance(clock);
  const views = createViewDrafts({
    ...options,
    agree: createAgreement(options),
    takeTurn: spool.takeTurn,
  });

  return {
    async requireRoom(mostEvents) {
      const ofEvents = await eventSpool.requireRoom(mostEvents);
      try {
        return both(ofEvents, await spool.requireRoom(mostEvents));
      } catch (fault) {
        ofEvents.leave();
        throw fault;
      }
    },

    async collect(videoKey, lines, sender, room) {
      ledger.received(lines.length);
      const found = await lookUp(options, videoKey, lines.length, sender).catch((fault) => {
        if (isUnavailable(fault)) ledger.unavailable(lines.length);
        throw fault;
      });
      const { publication } = found;
      const nowMs = clock.now();
      const context = { ...found, sender, nowMs };
      const reported: PlayerEvent[] = [];
      const rejected: BeaconsAnswer['rejected'] = [];
      let kept: KeptCode[];
      try {
        await forPortions(lines, pace, (portion, start) =>
          portion.forEach((line, index) => {
            const event = readEvent(line, { ...steps, allowance }, context);
            if (event.ok) reported.push(event.value);
            else {
              if (event.reason.code === 'IN_FUTURE') options.requireRightClock?.();
              rejected.push({ index: start + index, ...event.reason });
            }
          }),
        );
        await eventSpool.add(reported);
        const parts = createFactParts(options, sender);
        const portions = views.draftsOf(reported, sender, nowMs);
        const into = { parts, reports: reported.length };
        const { plays, outcomes } = await putFacts(portions, steps, context, into);
        const notes = createNotes(plays, publication.accountId, nowMs);
        kept = reported.map(({ view }) => outcomes.get(view) ?? 'COUNTED');
        const codes = [...kept, ...rejected.map(({ code }) => code)];
        const counted = kept.length === 0 ? [] : createOutcomes(publication, codes);
        // First what may fail: the facts take the outcomes with them.
        await eventSpool.add(notes);
        await parts.end(room, counted);
        views.remember(plays);
      } catch (fault) {
        ledger.unavailable(lines.length - rejected.length);
        accountLedger.note(
          createOutcomes(
            publication,
            reported.map(() => 'UNAVAILABLE'),
          ),
        );
        throw fault;
      } finally {
        for (const { code } of rejected) ledger.refused(code);
      }
      for (const code of kept) ledger.kept(code);
      const refused = rejected.map(({ code }) => code);
      if (kept.length === 0) accountLedger.note(createOutcomes(publication, refused));
      for (const { view, sequence } of reported) options.watchSequence(view, sequence);
      return { accepted: reported.length, rejected };
    },
  };
}

/** The video, and what the token is worth for it. */
async function lookUp(
  { publications, viewTokens, ledger }: CmcdCollectorOptions,
  videoKey: string,
  count: number,
  sender: CmcdSender,
) {
  const publication = (await publications.identify([videoKey])).get(videoKey);
  if (publication) {
    return { publication, token: await viewTokens.checkOne(sender.token, publication) };
  }
  const isRetired = await publications.isRetired(videoKey);
  const reason = isRetired ? 'RETIRED_VIDEO' : 'UNKNOWN_VIDEO';
  for (let event = 0; event < count; event += 1) ledger.refused(reason);
  if (isRetired) throw new Fault('GONE', 'The video was removed from the package: stop sending');
  throw new Fault('NOT_FOUND', 'No video has this key');
}

function both(one: Room, other: Room): Room {
  return {
    async arrived() {
      await one.arrived();
      await other.arrived();
    },
    leave() {
      one.leave();
      other.leave();
    },
  };
}

function isUnavailable(fault: unknown): boolean {
  return !(fault instanceof Fault) || (fault.code !== 'GONE' && fault.code !== 'NOT_FOUND');
}

function createOutcomes({ accountId }: Publication, codes: readonly Outcome['code'][]): Outcome[] {
  return codes.map((code) => ({ accountId, code }));
}

/** An event has the outcome of the facts that were made for its view: apart if one of them is. */
function noteOutcomes(outcomes: Map<string, KeptCode>, drafts: readonly Draft[]): void {
  for (const { view, facts } of drafts) {
    const before = outcomes.get(view) ?? 'COUNTED';
    outcomes.set(view, before === 'COUNTED' ? outcomeOfFacts(facts) : before);
  }
}

interface EventContext {
  readonly publication: Publication;
  readonly token: CheckedToken | undefined;
  readonly sender: Sender;
  readonly nowMs: number;
}

function readEvent(
  line: string,
  { refuseBot, allowance }: Pick<Steps, 'refuseBot'> & { readonly allowance: EventAllowance },
  context: EventContext,
): Result<PlayerEvent, Refusal> {
  const { publication, token, sender, nowMs } = context;
  const event = readCmcdEvent(line);
  if (!event.ok) return event;
  const { session, ...told } = event.value;
  const reason =
    refuseOrigin(publication, sender) ??
    refuseBot(sender) ??
    refuseTime({ atMs: told.momentMs, playMs: 0 }, sender, nowMs) ??
    refuseUnsigned(publication, tokenAt({ atMs: told.momentMs, plays: 0, token }, nowMs), sender);
  if (reason) return { ok: false, reason };
  const { accountId } = publication;
  const view = identifyCmcdView(publication, session);
  const reported = { accountId, view, ...told, arrivalMs: nowMs };
  if (allowance.take(reported, sender)) return accept(reported);
  return refuse<Refusal>({ code: 'TOO_MANY_EVENTS', detail: tooManyEvents });
}

export function identifyCmcdView(
  { accountId, packageId, videoId }: PublicationNumbers,
  session: string,
): string {
  return identifyView('cmcd', `${accountId} ${packageId} ${videoId} ${session}`);
}

/** Makes facts of the drafts; `reports`: how many events these are of. */
async function putFacts(
  portions: AsyncIterable<readonly Draft[]>,
  steps: Pick<Steps, 'prepare' | 'toFacts'>,
  context: EventContext,
  { parts, reports }: { readonly parts: FactParts; readonly reports: number },
) {
  const { publication } = context;
  const plays: Draft[] = [];
  const outcomes = new Map<string, KeptCode>();
  let left = reports;
  for await (const drafts of portions) {
    await steps.prepare(drafts.map(({ atMs }) => ({ atMs, publication })));
    await parts.put(createFacts(drafts, steps, context, parts), left);
    left = 0;
    plays.push(...drafts.filter((draft) => draft.plays > 0));
    noteOutcomes(outcomes, drafts);
  }
  return { plays, outcomes };
}

/** Omits a piece that begins too early to be accepted, although the event at its end was. */
function createFacts(
  drafts: readonly Draft[],
  { toFacts }: Pick<Steps, 'toFacts'>,
  { publication, token, sender, nowMs }: EventContext,
  parts: Pick<FactParts, 'noteSigned'>,
): Fact[] {
  return drafts.flatMap((draft) => {
    draft.publication = publication;
    draft.token = token;
    const facts = toFacts(draft, { sender, nowMs });
    if (draft.signed) parts.noteSigned(draft.signed.view);
    return facts.ok ? facts.value : [];
  });
}
