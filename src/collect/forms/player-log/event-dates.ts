/** Dates an event of a player log by the event log, so that every node dates it the same. */

import { assert } from '../../../lib/assert.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import type { Device, Draft, Refusal } from '../../draft.ts';
import type { EventReader } from '../../steps/event-reader.ts';
import type { AgreeOnInstant } from '../../steps/instant-agreement.ts';
import {
  type Dated,
  draftPlay,
  draftRange,
  type Note,
  noteOfCopy,
  type Place,
  placeOfPlay,
  placeOfRange,
  rangeUntil,
} from './event-time.ts';
import type { LogEvent } from './log-event.ts';

interface DatedEvent {
  readonly drafts: readonly Draft[];
  /** What the event log must store once the drafts count. */
  readonly notes: readonly PlayerEvent[];
}

export interface EventDates {
  date(event: LogEvent, device: Device, nowMs: number): Promise<Result<DatedEvent, Refusal>>;
}

interface EventDatingOptions {
  readonly events: Pick<EventReader, 'read'>;
  readonly agree: AgreeOnInstant;
}

export function createEventDates({ events, agree }: EventDatingOptions): EventDates {
  /** Looks for the place until the log and all concurrent requests agree on it. */
  const settle = async (
    event: LogEvent,
    log: Dated[],
    placeIn: (log: readonly Dated[]) => Place,
    nowMs: number,
  ): Promise<{ dated: Dated; isNew: boolean } | undefined> => {
    let isNew = false;
    for (;;) {
      const place = placeIn(log);
      if ('tooMuch' in place) return undefined;
      if ('known' in place) return { dated: place.known, isNew };
      const { added } = place;
      const arrivalMs = await agree(event, nameOf(added), nowMs);
      const dated = { ...added, arrivalMs };
      isNew = true;
      if (arrivalMs === nowMs) return { dated, isNew };
      // Another request was first: after it, this event may be a copy or a repetition.
      log.push(dated);
    }
  };

  return {
    async date(event, device, nowMs) {
      const { accountId, view, showsPlay, stoppedAtMs } = event;
      if (!showsPlay) return accept({ drafts: [], notes: [] });
      const whole = { fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };
      const log: Dated[] | undefined = await events.read({ accountId, view, ...whole });
      if (log === undefined) {
        return refuse({ code: 'INVALID_BEACON', detail: 'uid: a session with too many events' });
      }
      const range = stoppedAtMs === undefined ? event.range : rangeUntil(stoppedAtMs, log);
      const [play, played] = await Promise.all([
        settle(event, [...log], placeOfPlay, nowMs),
        range && settle(event, [...log], (seen) => placeOfRange(range, seen, event, nowMs), nowMs),
      ]);
      if (range && !played) {
        return refuse({ code: 'IN_FUTURE', detail: 'det: more time than has passed since cs' });
      }
      assert(play, 'only of ranges there can be too much');
      const notes: Dated[] = [];
      if (play.isNew) notes.push(play.dated);
      if (played?.isNew) notes.push(played.dated);
      if (range && played && played.dated.arrivalMs !== nowMs) {
        notes.push({ ...noteOfCopy(range, nowMs), arrivalMs: nowMs });
      }
      return accept({
        drafts: [
          draftPlay(event, play.dated.arrivalMs, device),
          ...(played ? [draftRange(event, played.dated, device)] : []),
        ],
        notes: notes.map((note) => ({ ...note, accountId, view })),
      });
    },
  };
}

function nameOf({ momentMs, sequence }: Note): string {
  return `${momentMs} ${sequence}`;
}
