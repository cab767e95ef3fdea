/** Videos and thumbnails in wire form -> the catalog's records. */
import Type, { type TObject } from 'typebox';
import type { NewThumbnail, NewVideo, VideoChanges, VideoToPut } from '../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { parseInstant } from '../../lib/time/instant.ts';
import type { Fault } from '../../vocabulary/faults.ts';
import {
  NewVideoFields,
  ThumbnailFields,
  VideoChanges as VideoChangesForm,
} from '../../wire/library/video-fields.ts';
import { messageFault } from '../../wire/message-check.ts';
import { parameterFault } from '../../wire/parameters.ts';

/** A row of an import may also name the picture that represents the video. */
const ImportedFields = Type.Object(
  { ...NewVideoFields.properties, thumbnailUrl: Type.Optional(ThumbnailFields.properties.url) },
  { additionalProperties: false },
);

/** Fields that have another name on the wire than in the catalog. */
const catalogNames: Readonly<Record<string, keyof NewVideo>> = {
  duration: 'durationMs',
  fileSize: 'fileSizeBytes',
  vHeight: 'height',
  vWidth: 'width',
  vFramerate: 'frameRate',
};

export function readNewVideo(given: unknown): Result<NewVideo, Fault> {
  return read<NewVideo>(NewVideoFields, given);
}

export function readImportedVideo(given: unknown): Result<VideoToPut, Fault> {
  return read<VideoToPut>(ImportedFields, given);
}

export function readVideoChanges(given: unknown): Result<VideoChanges, Fault> {
  return read<VideoChanges>(VideoChangesForm, given);
}

export function toNewThumbnail({ url, playtime, selected = false }: ThumbnailFields): NewThumbnail {
  return { url, selected, ...(playtime === undefined ? {} : { playTimeMs: playtime }) };
}

function read<Fields>(schema: TObject, given: unknown): Result<Fields, Fault> {
  const fault = messageFault(schema, given);
  const { cdate, ...fields } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const createdAt = typeof cdate === 'string' ? parseInstant(cdate) : undefined;
  if (typeof cdate === 'string' && createdAt === undefined) {
    const detail = 'must be an instant that exists, such as 2026-11-20T10:15:30.123Z';
    const others = (fault?.errors ?? []).filter(({ parameter }) => parameter !== 'cdate');
    const isMissing = fault?.code === 'MISSING_PARAMETER';
    return refuse(parameterFault([...others, { parameter: 'cdate', detail }], isMissing));
  }
  if (fault) return refuse(fault);
  const named = Object.entries(fields).map(([name, value]) => [catalogNames[name] ?? name, value]);
  const dated = createdAt === undefined ? {} : { createdAt: new Date(createdAt) };
  return accept({ ...Object.fromEntries(named), ...dated } as Fields);
}
