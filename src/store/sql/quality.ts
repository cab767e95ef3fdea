/** What is counted of quality, in SQL over facts: what counts of days and questions agree on. */

import {
  leftAfterMs,
  maxWaitMs,
  type WaitCause,
  type WaitOutcome,
  waitCauses,
  waitOutcomes,
} from '../../vocabulary/waits.ts';
import type { QualitySumName, QualityViewsName } from '../tables/audience.ts';
import { countedMedia, countedPart } from './views.ts';

/** Of views that reported their first wait. */
export const hasQuality = "quality != ''";
const ofCause = (...causes: readonly WaitCause[]) =>
  `cause IN (${causes.map((name) => waitCauses[name]).join(', ')})`;
export const ofOutcome = (name: WaitOutcome) => `outcome = ${waitOutcomes[name]}`;
export const isStarted = `${ofCause('start')} AND ${ofOutcome('played')}`;

/** Bits in a millisecond, rounded half up, are kbit/s; 0 without media. */
export const bitrateOf = (bits: string, ms: string) =>
  `toUInt64(intDivOrZero(2 * toUInt128(${bits}) + ${ms}, 2 * ${ms}))`;

/** So long after its beginning, a wait is over, whatever was told of it. */
export const surelyOverMs = maxWaitMs + leftAfterMs;

/** A number of each fact, which adds up. */
export interface QualitySum {
  readonly value: string;
  /** Whether it rests on time that is cut where a view claims more than a slot has. */
  readonly isBounded?: boolean;
}

/** `isLeftByAge`: whether a wait of which no end was told was left by now. */
export function qualityCounts(isLeftByAge: string) {
  const isOver = `(outcome > ${waitOutcomes.waiting} OR ${isLeftByAge})`;
  const hasLeft = `(${ofOutcome('left')} OR ${isLeftByAge})`;
  const isStall = `${ofCause('stall')} AND ${isOver}`;
  const isSeek = `${ofCause('seek')} AND ${isOver}`;
  const when = (condition: string, value = '1') =>
    `if(${hasQuality} AND ${condition}, ${value}, 0)`;
  const always = (value: string) => ({ value: `if(${hasQuality}, ${value}, 0)`, isBounded: true });
  return {
    sums: {
      attempts: { value: when(ofCause('start')) },
      starts: { value: when(isStarted) },
      exitsBeforeStart: { value: when(`${ofCause('start')} AND ${hasLeft}`) },
      startFailures: { value: when(`${ofCause('start')} AND ${ofOutcome('failed')}`) },
      allStartupMs: { value: when(isStarted, 'waitMs') },
      stalls: { value: when(isStall) },
      stallMs: { value: when(isStall, 'waitMs') },
      seeks: { value: when(isSeek) },
      allSeekMs: { value: when(isSeek, 'waitMs') },
      qualityPlayMs: always('countedMs'),
      watchedMs: always(
        `countedMs + if(${ofCause('start', 'stall', 'seek')} AND ${isOver}, waitMs, 0)`,
      ),
      // Bits of a day, times its milliseconds, have more than 64 bits.
      mediaBits: always(countedPart('toUInt128(mediaBits)')),
      bitsMediaMs: always(`if(mediaBits > 0, ${countedMedia}, 0)`),
      frames: always(countedPart('toUInt64(frames)')),
      droppedFrames: always(countedPart('toUInt64(least(droppedFrames, frames))')),
    } satisfies Record<QualitySumName, QualitySum>,
    /** Which facts make their view one of these. */
    views: {
      qualityViews: `${hasQuality} AND (plays > 0 OR playMs > 0 OR (cause > 0 AND ${isOver}))`,
      failures: `${hasQuality} AND cause > 0 AND ${ofOutcome('failed')}`,
      stalledViews: `${hasQuality} AND ${isStall}`,
    } satisfies Record<QualityViewsName, string>,
    isStall,
  };
}

/** Where all waits are over. */
export const settledQuality = qualityCounts(ofOutcome('waiting'));
