/** The values of a row -> the fields of a video, by the API's names. */
import Type from 'typebox';
import { hourOfDay } from '../lib/time/time-zone.ts';
import { dayExists } from '../lib/time/utc-day.ts';
import type { ParameterFault } from '../vocabulary/faults.ts';
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
  readonly folderName: string | undefined;
  /** Everything that is wrong with it so far. */
  readonly reasons: readonly string[];
}

/** In `timeZone` days begin that stand in the row without a time. */
export function videoOfRow(
  { accountId, timeZone }: { readonly accountId: number; readonly timeZone: string },
  values: Readonly<Record<string, unknown>>,
): VideoOfRow {
  const fields: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const [given, value] of Object.entries(values)) {
    const name = nameOf(given);
    if (name === undefined) reasons.push(`${given} is not known`);
    // Null means the same as an absent member: a row replaces everything known of its video.
    else if (value !== null && !ownNames.includes(name)) {
      if (name in fields) reasons.push(`${name} is given twice`);
      fields[name] = asTyped(name, value, timeZone);
    }
  }
  const textOf = (name: string, value: unknown) => {
    if (value === undefined || typeof value === 'string') return value;
    reasons.push(`${name} must be a string`);
    return undefined;
  };
  const { folderName, accessKey, ...others } = fields;
  const key = accessKey ?? derivedKey(accountId, others.cid);
  if (key === undefined) reasons.push('accessKey or cid is required');
  const known = { accessKey: textOf('accessKey', key) };
  return { fields: { ...others, ...known }, folderName: textOf('folderName', folderName), reasons };
}

/** What is wrong with a field of a list, in words for whoever saved it from a spreadsheet. */
export function reasonOfField(
  { parameter, detail }: ParameterFault,
  fields: Readonly<Record<string, unknown>>,
): string {
  const given = fields[parameter];
  if (parameter === 'cdate' && typeof given === 'string') {
    return 'cdate must be a day such as 2026-11-20, or an instant such as 2026-11-20T10:15:30Z';
  }
  return isNumeric(parameter) && typeof given === 'string'
    ? `${parameter} must be a plain number such as 125000: no separators and no unit`
    : `${parameter} ${detail}`;
}

function derivedKey(accountId: number, cid: unknown): string | undefined {
  return typeof cid === 'string' && cid !== '' ? keyOfCid(accountId, cid) : undefined;
}

/** Everything in CSV is text. A value that is not a number stays text, and is refused by name. */
function asTyped(name: string, value: unknown, timeZone: string): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'cdate' && dayExists(value)) {
    return new Date(hourOfDay(timeZone, value, 0)).toISOString();
  }
  if (!isNumeric(name)) return value;
  // In whole numbers a comma may separate thousands.
  const text = Type.IsNumber(findSchema(name)) ? value.replace(',', '.') : value;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
}

function findSchema(name: string): unknown {
  return (NewVideoFields.properties as Record<string, unknown>)[name];
}

function isNumeric(name: string): boolean {
  const schema = findSchema(name);
  return Type.IsInteger(schema) || Type.IsNumber(schema);
}
