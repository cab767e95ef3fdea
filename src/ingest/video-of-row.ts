/** What a row says -> the fields of a video, under the names of the interface. */
import Type from 'typebox';
import { accept, type Result, refuse } from '../lib/result.ts';
import { NewVideoFields } from '../wire/video-fields.ts';
import { keyOfCid } from './stable-key.ts';

/** Where the folder is named instead of numbered, and the picture that stands for the video. */
const furtherNames = ['folderName', 'thumbnailUrl'];
/** In what the interface answers, but given by this service. */
const ownNames = ['videoId', 'videoKey', 'videoUrl', 'serviceAble'];
const names = [...Object.keys(NewVideoFields.properties), ...furtherNames, ...ownNames];
const nameBySpelling = new Map(names.map((name) => [spelling(name), name]));

export const rowNames: readonly string[] = names.filter((name) => !ownNames.includes(name));

/** A row as far as it can be read alone; its values are checked where they are stored. */
export interface VideoOfRow {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly accessKey: string;
  readonly folderName: string | undefined;
}

/** The name of a column or member in the interface, however it is spelt: `vheight`, `file_size`. */
export function nameOf(given: string): string | undefined {
  return nameBySpelling.get(spelling(given));
}

export function videoOfRow(
  accountId: number,
  values: Readonly<Record<string, unknown>>,
): Result<VideoOfRow, string> {
  const fields: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(values)) {
    const name = nameOf(given);
    if (name === undefined) return refuse(`${given} is not known`);
    // Null says as little as an absent member: a row is all that is said of its video.
    if (value !== null && !ownNames.includes(name)) fields[name] = asTyped(name, value);
  }
  const { folderName, ...others } = fields;
  if (folderName !== undefined && typeof folderName !== 'string') {
    return refuse('folderName must be a string');
  }
  const accessKey = others.accessKey ?? derivedKey(accountId, others.cid);
  if (accessKey === undefined) return refuse('accessKey is required, or a cid');
  if (typeof accessKey !== 'string') return refuse('accessKey must be a string');
  return accept({ fields: { ...others, accessKey }, accessKey, folderName });
}

function derivedKey(accountId: number, cid: unknown): string | undefined {
  return typeof cid === 'string' && cid !== '' ? keyOfCid(accountId, cid) : undefined;
}

/** In CSV all is text. What is no number stays as it is, and is refused by name. */
function asTyped(name: string, value: unknown): unknown {
  const schema = (NewVideoFields.properties as Record<string, unknown>)[name];
  const isNumeric = Type.IsInteger(schema) || Type.IsNumber(schema);
  const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  return isNumeric && isNumber ? Number(value) : value;
}

function spelling(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase();
}
