import type { FactQuality } from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import type { WaitCause, WaitOutcome } from '../../vocabulary/waits.ts';
import type { Step } from '../draft.ts';
import { createUrlReader } from './page-url.ts';

/** `manifestLoadError`, `3016`, `MEDIA_ERR_DECODE`. */
const errorForm = /^[\w.:+-]{1,64}$/;
/** Alone it is a host: no path, user name or query. */
const hostForm = /^[^\s/?#@\\]+$/;

/** As beacons and exported facts tell it. */
interface ToldQuality extends Omit<FactQuality, 'wait'> {
  readonly cause?: WaitCause | '' | undefined;
  readonly outcome?: WaitOutcome | '' | undefined;
  readonly waitMs?: number | undefined;
  readonly error?: string | undefined;
}

/** Undefined where nothing is told. */
export function readQuality(told: ToldQuality): FactQuality | undefined {
  const { cause, outcome, waitMs, error, mediaBits, frames, droppedFrames, mediaHost } = told;
  if (cause && outcome && waitMs !== undefined) {
    return { wait: { cause, outcome, waitMs, error }, mediaHost };
  }
  const isTold = Boolean(mediaBits || frames || mediaHost);
  return isTold ? { mediaBits, frames, droppedFrames, mediaHost } : undefined;
}

/** Keeps of a media host and an error code what has the form of one. */
export function setQuality(): Step {
  const readUrl = createUrlReader();
  const hostOf = (host: string | undefined) =>
    host !== undefined && hostForm.test(host) ? readUrl(`https://${host}`).host : undefined;
  return {
    name: 'set quality',
    run(draft) {
      const { quality } = draft;
      if (quality === undefined) return undefined;
      const { wait, mediaHost } = quality;
      draft.quality = {
        ...quality,
        mediaHost: hostOf(mediaHost),
        ...(wait && { wait: { ...wait, error: readErrorCode(wait.error) } }),
      };
      return undefined;
    },
  };
}

/** The code under which an error is stored; undefined: it has not the form of one. */
export function readErrorCode(error: string | undefined): string | undefined {
  if (error === undefined || !errorForm.test(error)) return undefined;
  return error === otherValue ? error.toLowerCase() : error;
}
