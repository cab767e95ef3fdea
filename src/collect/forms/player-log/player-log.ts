/** Collects player log events: read -> identify -> date by arrival -> drafts -> facts. */
import type { Publication, Publications } from '../../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Fact, PlayerEvent } from '../../../store/facts.ts';
import { noError, type StatsInfo, type VideoDetail } from '../../../wire/beacons/player-log.ts';
import type { AccountLedger } from '../../account-ledger.ts';
import type { DimensionLimits } from '../../dimension-limits/dimension-limits.ts';
import type { Draft, Refusal, Sender } from '../../draft.ts';
import { createFactParts, type FactParts, type FactSpool } from '../../fact-parts.ts';
import type { Steps } from '../../pipeline.ts';
import { refuseUnsigned } from '../../signing/signature-step.ts';
import type { CheckedToken, ViewTokens } from '../../signing/view-tokens.ts';
import type { Spool } from '../../spool/spool.ts';
import type { EventReader } from '../../steps/event-reader.ts';
import { createAgreement } from '../../steps/instant-agreement.ts';
import { refuseOrigin } from '../../steps/origin-step.ts';
import { type CollectLedger, type KeptCode, outcomeOfFacts } from '../../steps/outcome-metrics.ts';
import { oldestMs } from '../../steps/time-step.ts';
import { createEventDates } from './event-time.ts';
import { type LogData, type LogEvent, readLogEvent } from './log-event.ts';
import type { SessionSeal } from './session-seal.ts';
import { writeSessionStart } from './session-start.ts';

/** The only kind of player so far. */
const playerNumber = 1;
/** By how much players and the catalog may differ about the length of a video. */
const lengthToleranceMs = 1_000;

export interface PlayerLog {
  /** What a player must send with every event of a session that begins now. */
  statsInfo(videoKey: string): Promise<StatsInfo | undefined>;
  /** The video's location; undefined if no video has this key. */
  videoDetail(videoKey: string, contentUrl: string): Promise<VideoDetail | undefined>;
  /**
   * `data` as it came in the URL. Resolves when the event is durable; rejects with UNAVAILABLE:
   * send it again.
   */
  collect(data: LogData, sender: Sender): Promise<Result<KeptCode, Refusal>>;
}

interface PlayerLogOptions {
  readonly publications: Publications;
  readonly steps: Pick<Steps, 'refuseBot' | 'prepare' | 'toFacts'>;
  readonly spool: Pick<FactSpool, 'add' | 'addInTurn' | 'takeTurn'>;
  readonly values: DimensionLimits;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add'>;
  readonly events: EventReader;
  readonly ledger: CollectLedger;
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly seal: SessionSeal;
  readonly viewTokens: ViewTokens;
  /** See Collector. */
  readonly requireRightClock?: () => void;
  readonly clock: Clock;
}

export function createPlayerLog(options: PlayerLogOptions): PlayerLog {
  const { publications, steps, eventSpool, ledger, seal, viewTokens, clock } = options;
  const dating = createEventDates({ ...options, agree: createAgreement(options) });

  return {
    async statsInfo(videoKey) {
      const publication = await find(publications, videoKey);
      return publication && createStatsInfo(publication, seal, clock.now());
    },

    async videoDetail(videoKey, contentUrl) {
      const publication = await find(publications, videoKey);
      return publication && createVideoDetail(publication, `${contentUrl}/${videoKey}`);
    },

    async collect(data, sender) {
      ledger.received(1);
      try {
        const result = await collectEvent(data, sender);
        if (result.ok) ledger.kept(result.value);
        else ledger.refused(result.reason.code);
        return result;
      } catch (fault) {
        ledger.unavailable(1);
        throw fault;
      }
    },
  };

  async function collectEvent(data: LogData, sender: Sender): Promise<Result<KeptCode, Refusal>> {
    const event = readLogEvent(data, seal);
    const numbers = event.ok ? event.value : event.reason.numbers;
    const publication = numbers && (await publications.identifyByNumbers(numbers));
    const result = !event.ok
      ? event
      : publication
        ? await keep(event.value, publication, sender).catch((fault) => {
            const { accountId } = publication;
            options.accountLedger.note([{ accountId, code: 'UNAVAILABLE' }]);
            throw fault;
          })
        : refuse(await whyUnknown(publications, event.value));
    const code = result.ok ? result.value : result.reason.code;
    if (code === 'IN_FUTURE') options.requireRightClock?.();
    const isOwn = publication !== undefined || code === 'RETIRED_VIDEO';
    const accountId = isOwn ? numbers?.accountId : undefined;
    // What is kept was counted with its facts.
    if (!result.ok) options.accountLedger.note([{ accountId, code }]);
    return result;
  }

  async function keep(
    event: LogEvent,
    publication: Publication,
    sender: Sender,
  ): Promise<Result<KeptCode, Refusal>> {
    const nowMs = clock.now();
    const token = await viewTokens.checkOne(event.token, publication);
    const context = { publication, token, sender, nowMs };
    const impossible = refuseAtOnce(event, context, steps);
    if (impossible) return refuse(impossible);
    const dated = await dating.date(vouchedFor(event, token), sender, nowMs);
    if (!dated.ok) return dated;
    const { drafts, notes } = dated.value;
    await steps.prepare(drafts.map(({ atMs }) => ({ atMs, publication })));
    const parts = createFactParts(options, sender);
    const facts = createFacts(drafts, steps, context, parts);
    if (!facts.ok) return facts;
    await parts.put(facts.value, 1);
    const code = outcomeOfFacts(facts.value);
    const { accountId } = publication;
    // First what may fail: the facts take the outcome with them.
    await eventSpool.add(notes);
    await parts.end(undefined, [{ accountId, code }]);
    return accept(code);
  }
}

function refuseAtOnce(
  event: LogEvent,
  { publication, token, sender }: LogContext,
  { refuseBot }: Pick<Steps, 'refuseBot'>,
): Refusal | undefined {
  return (
    refuseUnsealed(event, publication, token) ??
    refuseOrigin(publication, sender) ??
    refuseBot(sender) ??
    refuseUnsigned(publication, token, sender) ??
    refuseBeyond(event, publication)
  );
}

async function find(
  publications: Pick<Publications, 'identify'>,
  videoKey: string,
): Promise<Publication | undefined> {
  return (await publications.identify([videoKey])).get(videoKey);
}

/** The same whether there is such a video or not: who only guesses ids learns nothing. */
const unsealed: Refusal = {
  code: 'UNSEALED',
  detail: 'uid, cs: not issued by stats/info.json for this video, and uid is not a valid token',
};

function refuseUnsealed(
  { isSealed }: LogEvent,
  { takesUnsealed }: Publication,
  token: CheckedToken | undefined,
): Refusal | undefined {
  return isSealed || takesUnsealed || token?.ok ? undefined : unsealed;
}

/** A token instead of `uid` seals the session too: it cannot have begun before. */
function vouchedFor(event: LogEvent, token: CheckedToken | undefined): LogEvent {
  if (!token?.ok) return event;
  const { fromMs } = token.value;
  return { ...event, isSealed: true, sessionStartMs: Math.max(event.sessionStartMs, fromMs) };
}

/** Nothing behind the end of the video can have been played. */
function refuseBeyond(
  { range, stoppedAtMs = 0 }: LogEvent,
  { durationMs }: Publication,
): Refusal | undefined {
  const endMs = range ? range.startMs + range.lengthMs : stoppedAtMs;
  if (durationMs === 0 || endMs <= durationMs + lengthToleranceMs) return undefined;
  return { code: 'INVALID_BEACON', detail: 'det: after the end of the video' };
}

/** Why these numbers name no video that can be played. */
async function whyUnknown(
  publications: Pick<Publications, 'isRetiredByNumbers'>,
  event: LogEvent,
): Promise<Refusal> {
  if (!event.isSealed) return unsealed;
  const isRetired = await publications.isRetiredByNumbers(event);
  if (isRetired) return { code: 'RETIRED_VIDEO', detail: 'vid: was removed from its package' };
  return { code: 'UNKNOWN_VIDEO', detail: 'gid, pid, vid: no such video in a package' };
}

interface LogContext {
  readonly publication: Publication;
  readonly token: CheckedToken | undefined;
  readonly sender: Sender;
  readonly nowMs: number;
}

function createFacts(
  drafts: readonly Draft[],
  steps: Pick<Steps, 'toFacts'>,
  { publication, token, sender, nowMs }: LogContext,
  parts: Pick<FactParts, 'noteSigned'>,
): Result<readonly Fact[], Refusal> {
  // An event dated by our clock is not in the future, even if the clock was set back since.
  const latestMs = Math.max(nowMs, ...drafts.map(({ atMs, playMs }) => atMs + playMs));
  const facts: Fact[] = [];
  for (const draft of drafts) {
    // The play of a session that lasts for days was reported when it began.
    if (draft.plays > 0 && draft.atMs < nowMs - oldestMs) continue;
    draft.publication = publication;
    draft.token = token;
    const result = steps.toFacts(draft, { sender, nowMs: latestMs });
    if (!result.ok) return result;
    if (draft.signed) parts.noteSigned(draft.signed.view);
    facts.push(...result.value);
  }
  return accept(facts);
}

function createStatsInfo(publication: Publication, seal: SessionSeal, nowMs: number): StatsInfo {
  const { accountId, packageId, videoId } = publication;
  const cs = writeSessionStart(nowMs);
  return {
    statsInfo: {
      gid: accountId,
      pid: packageId,
      vid: videoId,
      plid: playerNumber,
      uid: seal.draw({ ...publication, cs }),
      cs,
      errorInfo: noError,
    },
  };
}

function createVideoDetail({ accountId, videoId }: Publication, videoUrl: string): VideoDetail {
  return {
    VideoDetail: {
      videoUrl,
      videoInfo: { id: videoId, opt: 'NONE' },
      PlayerType: { gid: accountId },
      CuePointList: [],
      errorInfo: noError,
    },
  };
}
