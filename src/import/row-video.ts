/** The values of a row -> the fields of a video, by the API's names. */
import Type from 'typebox';
import { accept, type Result, refuse } from '../lib/result.ts';
import { NewVideoFields } from '../wire/library/video-fields.ts';
import { createColumnNamer, createNameFinder } from './column-names.ts';
import { keyOfCid } from './stable-key.ts';

/** The folder by name instead of id, and the picture that represents the video. */
const furtherNames = ['folderName', 'thumbnailUrl'];
/** Fields that the API returns but this service sets itself. */
const ownNames = ['videoId', 'videoKey', 'videoUrl', 'serviceAble'];
const names = [...Object.keys(NewVideoFields.properties), ...furtherNames, ...ownNames];
const nameOf = createNameFinder(names);

/** Of the header of a list. */
export const nameColumns = createColumnNamer({
  nameOf,
  known: names.filter((name) => !ownNames.includes(name)),
  check(columns) {
    if (!columns.includes('title')) return 'has no title column';
    if (columns.includes('accessKey') || columns.includes('cid')) return undefined;
    return 'has neither accessKey nor cid, one of which must identify the video';
  },
});

/** A row as far as it can be checked alone; its values are checked where they are stored. */
export interface VideoOfRow {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly accessKey: string;
  readonly folderName: string | undefined;
}

export function videoOfRow(
  accountId: number,
  values: Readonly<Record<string, unknown>>,
): Result<VideoOfRow, string> {
  const fields: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(values)) {
    const name = nameOf(given);
    if (name === undefined) return refuse(`${given} is not known`);
    // Null means the same as an absent member: a row replaces everything known of its video.
    if (value !== null && !ownNames.includes(name)) fields[name] = asTyped(name, value);
  }
  const { folderName, ...others } = fields;
  if (folderName !== undefined && typeof folderName !== 'string') {
    return refuse('folderName must be a string');
  }
  const accessKey = others.accessKey ?? derivedKey(accountId, others.cid);
  if (accessKey === undefined) return refuse('accessKey or cid is required');
  if (typeof accessKey !== 'string') return refuse('accessKey must be a string');
  return accept({ fields: { ...others, accessKey }, accessKey, folderName });
}

function derivedKey(accountId: number, cid: unknown): string | undefined {
  return typeof cid === 'string' && cid !== '' ? keyOfCid(accountId, cid) : undefined;
}

/** Everything in CSV is text. A value that is not a number stays text, and is refused by name. */
function asTyped(name: string, value: unknown): unknown {
  const schema = (NewVideoFields.properties as Record<string, unknown>)[name];
  const isNumeric = Type.IsInteger(schema) || Type.IsNumber(schema);
  const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  return isNumeric && isNumber ? Number(value) : value;
}
