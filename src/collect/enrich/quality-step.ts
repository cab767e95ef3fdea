import { otherValue } from '../../vocabulary/statistics.ts';
import type { Step } from '../draft.ts';
import { createUrlReader } from './page-url.ts';

/** `manifestLoadError`, `3016`, `MEDIA_ERR_DECODE`. */
const errorForm = /^[\w.:+-]{1,64}$/;
/** Alone it is a host: no path, user name or query. */
const hostForm = /^[^\s/?#@\\]+$/;

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
      const { wait, ...others } = quality;
      draft.quality = { ...others, mediaHost: hostOf(quality.mediaHost) };
      if (wait) draft.quality = { ...draft.quality, wait: { ...wait, error: errorOf(wait.error) } };
      return undefined;
    },
  };
}

function errorOf(error: string | undefined): string | undefined {
  if (error === undefined || !errorForm.test(error)) return undefined;
  return error === otherValue ? error.toLowerCase() : error;
}
