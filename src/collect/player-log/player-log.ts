/** The way of a player log's event: read -> identify -> note its arrival -> drafts -> facts. */
import { randomUUID } from 'node:crypto';
import type { Publication, Publications } from '../../catalog/catalog.ts';
import type { PlayerEvent, StretchFact } from '../../facts/facts.ts';
import type { Clock } from '../../lib/clock.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import type { Spool } from '../../spool/spool.ts';
import { noError, type StatsInfo } from '../../wire/player-log.ts';
import type { AccountLedger } from '../account-ledger.ts';
import { refuseOrigin } from '../check-origin.ts';
import { aheadMs, oldestMs } from '../check-time.ts';
import type { CollectLedger } from '../collect-ledger.ts';
import type { Refusal, Sender } from '../draft.ts';
import type { EventReader } from '../read-together.ts';
import { refuseBot } from '../sieve-bots.ts';
import { stepsToFacts, walk } from '../walk.ts';
import { draftsOf, isOfOurClock, isSameMoment, notesOf, windowsOf } from './date-log-event.ts';
import { type LogEvent, readLogEvent } from './read-log-event.ts';
import { writeSessionStart } from './session-start.ts';

/** The only kind of player there is to tell apart. */
const playerNumber = 1;

export interface PlayerLog {
  /** What a player has to send with every event of a session that begins now. */
  statsInfo(videoKey: string): Promise<StatsInfo | undefined>;
  /** Resolves when the event is durable; rejects with UNAVAILABLE: send it again. */
  collect(data: string, sender: Sender): Promise<Result<void, Refusal>>;
}

interface PlayerLogOptions {
  readonly publications: Publications;
  readonly spool: Pick<Spool, 'add'>;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add'>;
  readonly events: EventReader;
  readonly ledger: CollectLedger;
  readonly accounts: Pick<AccountLedger, 'note'>;
  readonly clock: Clock;
}

export function createPlayerLog(options: PlayerLogOptions): PlayerLog {
  const { publications, spool, ledger, accounts, clock } = options;

  const toFacts = async (
    event: LogEvent,
    publication: Publication,
    sender: Sender,
  ): Promise<Result<readonly StretchFact[], Refusal>> => {
    const nowMs = clock.now();
    const impossible =
      refuseOrigin(publication, sender) ?? refuseBot(sender) ?? findImpossible(event, nowMs);
    if (impossible) return refuse(impossible);
    const notes = notesOf(event, nowMs);
    if (notes.length === 0) return accept([]);
    const kept = await keep(notes, options);
    // What it once was by our clock is not in the future, though that was set back since.
    const latestMs = Math.max(nowMs, ...kept.map(({ arrivalMs }) => arrivalMs));
    const facts: StretchFact[] = [];
    for (const draft of draftsOf(event, kept, sender)) {
      // Of a session that goes on for days, the play was told when it began.
      if (draft.plays > 0 && draft.atMs < nowMs - oldestMs) continue;
      draft.publication = publication;
      const result = walk(stepsToFacts, draft, { sender, nowMs: latestMs });
      if (!result.ok) return result;
      facts.push(...result.value);
    }
    return accept(facts);
  };

  return {
    async statsInfo(videoKey) {
      const found = await publications.identify([videoKey]);
      const publication = found.get(videoKey);
      return publication && statsInfoOf(publication, clock.now());
    },

    async collect(data, sender) {
      ledger.received(1);
      try {
        const result = await collectEvent(data, sender);
        if (result.ok) ledger.counted(1);
        else ledger.refused(result.reason.code);
        return result;
      } catch (fault) {
        ledger.unavailable(1);
        throw fault;
      }
    },
  };

  async function collectEvent(data: string, sender: Sender): Promise<Result<void, Refusal>> {
    const event = readLogEvent(data);
    if (!event.ok) return event;
    const publication = await publications.identifyByNumbers(event.value);
    if (!publication) {
      return refuse({ code: 'UNKNOWN_VIDEO', detail: 'gid, pid, vid: no such video in a package' });
    }
    const facts = await toFacts(event.value, publication, sender);
    if (facts.ok) await spool.add(facts.value);
    const { accountId } = publication;
    accounts.note([{ accountId, code: facts.ok ? 'COUNTED' : facts.reason.code }]);
    return facts.ok ? accept(undefined) : facts;
  }
}

/** What the log holds is not written again: a clock set back would make its arrival earlier. */
async function keep(
  notes: readonly PlayerEvent[],
  { events, eventSpool }: Pick<PlayerLogOptions, 'events' | 'eventSpool'>,
): Promise<readonly PlayerEvent[]> {
  const kept = await events.read(windowsOf(notes));
  const unknown = notes.filter((note) => !kept.some((one) => isSameMoment(one, note)));
  if (unknown.length === 0) return kept;
  await eventSpool.add(unknown);
  return events.read(windowsOf(notes));
}

function statsInfoOf({ accountId, packageId, videoId }: Publication, nowMs: number): StatsInfo {
  return {
    statsInfo: {
      gid: accountId,
      pid: packageId,
      vid: videoId,
      plid: playerNumber,
      uid: randomUUID(),
      cs: writeSessionStart(nowMs),
      errorInfo: noError,
    },
  };
}

function findImpossible({ sessionStartMs, range }: LogEvent, nowMs: number): Refusal | undefined {
  if (!range || !isOfOurClock(sessionStartMs, nowMs)) return undefined;
  if (nowMs - range.lengthMs >= sessionStartMs - aheadMs) return undefined;
  return { code: 'IN_FUTURE', detail: 'det: more time than has passed since cs' };
}
