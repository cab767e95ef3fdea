import { useThumbnail } from './use-thumbnail.ts';

/** Beside the title of a video, in a place of its own size also while there is no picture. */
export function Thumbnail({ url }: { readonly url: string | undefined }) {
  const thumbnail = useThumbnail(url);
  return (
    <span className="thumb" aria-hidden="true">
      {thumbnail.src && <img alt="" loading="lazy" decoding="async" {...thumbnail} />}
    </span>
  );
}
