import type { Video, VideoChanges } from '../../../client/src/index.ts';
import { readLength } from '../film/read-length.ts';

/** Which may be left empty, in the order of the form. */
export const textFields = [
  ...(['content', 'tag', 'series', 'author'] as const),
  ...(['copyright', 'rate', 'cid', 'etc'] as const),
] as const;

/** As somebody wrote them, by their names in the form. */
export type VideoFields = Readonly<Record<string, string>>;

/** What differs from the video as it is; what the form does not have stays. */
export function changesOf(video: Video, fields: VideoFields): VideoChanges {
  const { title = video.title, folder = String(video.folderId), length } = fields;
  const texts = textFields
    .filter((name) => fields[name] !== undefined && fields[name] !== (video[name] ?? ''))
    // Without tags a video has an empty text; of all else, nothing.
    .map((name) => [name, fields[name] || (name === 'tag' ? '' : null)] as const);
  const duration = length === undefined ? undefined : readLength(length);
  return {
    ...(title !== video.title && { title }),
    ...(Number(folder) !== video.folderId && { folderId: Number(folder) }),
    ...(isOther(video.duration, duration) && { duration }),
    ...Object.fromEntries(texts),
  };
}

/** The form shows whole seconds: one that was not written anew keeps its milliseconds. */
function isOther(before: number, after: number | undefined): after is number {
  if (after === undefined) return false;
  return after !== before && after !== Math.floor(before / 1_000) * 1_000;
}
