/** The way of CMCD events: lines -> events, kept -> those around them -> drafts -> facts. */
import type { Publication, Publications } from '../../catalog/catalog.ts';
import type { PlayerEvent, StretchFact } from '../../facts/facts.ts';
import type { Clock } from '../../lib/clock.ts';
import { accept, type Result } from '../../lib/result.ts';
import type { Spool } from '../../spool/spool.ts';
import type { BeaconsAnswer } from '../../wire/beacon.ts';
import { Fault } from '../../wire/faults.ts';
import type { AccountLedger, Outcome } from '../account-ledger.ts';
import { refuseOrigin } from '../check-origin.ts';
import { refuseTime } from '../check-time.ts';
import type { CollectLedger } from '../collect-ledger.ts';
import type { Draft, Refusal, Sender } from '../draft.ts';
import { identifyView } from '../identify-view.ts';
import type { EventReader } from '../read-together.ts';
import { refuseBot } from '../sieve-bots.ts';
import { stepsToFacts, walk } from '../walk.ts';
import { createViewDrafting, notesOf } from './draft-views.ts';
import { readCmcdEvent } from './read-cmcd-event.ts';
import type { WatchSequence } from './watch-sequences.ts';

export interface CmcdCollector {
  /** To be awaited before a body is read, with the most events that may be in it; see Spool. */
  requireRoom(mostEvents: number): Promise<() => void>;
  /**
   * Resolves when all accepted events are durable; rejects with UNAVAILABLE: send all again, and
   * with GONE or NOT_FOUND where there is no such video.
   */
  collect(videoKey: string, lines: readonly string[], sender: Sender): Promise<BeaconsAnswer>;
}

interface CmcdCollectorOptions {
  readonly publications: Publications;
  readonly spool: Pick<Spool, 'add' | 'requireRoom'>;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add' | 'requireRoom'>;
  readonly events: EventReader;
  readonly ledger: CollectLedger;
  readonly accounts: Pick<AccountLedger, 'note'>;
  readonly watchSequence: WatchSequence;
  readonly clock: Clock;
}

export function createCmcdCollector(options: CmcdCollectorOptions): CmcdCollector {
  const { publications, spool, eventSpool, ledger, accounts, watchSequence, clock } = options;
  const views = createViewDrafting(options.events);

  return {
    async requireRoom(mostEvents) {
      const leaveEvents = await eventSpool.requireRoom(mostEvents);
      const leaveFacts = await spool.requireRoom(mostEvents).catch((fault) => {
        leaveEvents();
        throw fault;
      });
      return () => {
        leaveEvents();
        leaveFacts();
      };
    },

    async collect(videoKey, lines, sender) {
      ledger.received(lines.length);
      const publication = await requireVideo(videoKey, lines.length);
      const nowMs = clock.now();
      const told: PlayerEvent[] = [];
      const rejected: BeaconsAnswer['rejected'] = [];
      lines.forEach((line, index) => {
        const event = readEvent(line, { publication, sender, nowMs });
        if (event.ok) told.push(event.value);
        else rejected.push({ index, ...event.reason });
      });

      try {
        await eventSpool.add(told);
        const drafts = await views.draftsOf(told, sender, nowMs);
        await eventSpool.add(notesOf(drafts, publication.accountId, nowMs));
        await spool.add(factsOf(drafts, { publication, sender, nowMs }));
        views.remember(drafts);
      } catch (fault) {
        ledger.unavailable(told.length);
        throw fault;
      } finally {
        for (const { code } of rejected) ledger.refused(code);
      }
      ledger.counted(told.length);
      accounts.note(outcomesOf(publication, told.length, rejected));
      for (const { view, sequence } of told) watchSequence(view, sequence);
      return { accepted: told.length, rejected };
    },
  };

  async function requireVideo(videoKey: string, count: number): Promise<Publication> {
    const found = (await publications.identify([videoKey])).get(videoKey);
    if (found) return found;
    for (let event = 0; event < count; event += 1) ledger.refused('UNKNOWN_VIDEO');
    const isRetired = await publications.isRetired(videoKey);
    if (isRetired) throw new Fault('GONE', 'The video was taken out of the package: stop sending');
    throw new Fault('NOT_FOUND', 'There is no video of this key');
  }
}

function outcomesOf(
  { accountId }: Publication,
  counted: number,
  rejected: BeaconsAnswer['rejected'],
): Outcome[] {
  return [
    ...Array.from({ length: counted }, () => ({ accountId, code: 'COUNTED' as const })),
    ...rejected.map(({ code }) => ({ accountId, code })),
  ];
}

interface EventContext {
  readonly publication: Publication;
  readonly sender: Sender;
  readonly nowMs: number;
}

function readEvent(line: string, context: EventContext): Result<PlayerEvent, Refusal> {
  const { publication, sender, nowMs } = context;
  const event = readCmcdEvent(line);
  if (!event.ok) return event;
  const { session, sequence, momentMs, state } = event.value;
  const reason =
    refuseOrigin(publication, sender) ??
    refuseBot(sender) ??
    refuseTime({ atMs: momentMs, playMs: 0 }, sender, nowMs);
  if (reason) return { ok: false, reason };
  const { accountId, packageId, videoId } = publication;
  const view = identifyView(`cmcd ${accountId} ${packageId} ${videoId} ${session}`);
  return accept({ accountId, view, momentMs, sequence, state, arrivalMs: nowMs });
}

/** A piece that begins before what is taken is left out; the event that told its end was taken. */
function factsOf(drafts: readonly Draft[], context: EventContext): StretchFact[] {
  const { publication, sender, nowMs } = context;
  return drafts.flatMap((draft) => {
    draft.publication = publication;
    const facts = walk(stepsToFacts, draft, { sender, nowMs });
    return facts.ok ? facts.value : [];
  });
}
