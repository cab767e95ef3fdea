/** Parameters that several questions of the audience take. */
import Type from 'typebox';
import { maxRangeYears } from './statistics-messages.ts';

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

export const firstDayParameter = day('First day, yyyy-mm-dd', '2026-11-01');
export const lastDayParameter = day(
  `Last day, yyyy-mm-dd, at most ${maxRangeYears} years after \`sdate\``,
  '2026-11-30',
);

export const accessKeyParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Only playback of this video, by its original key',
});

export const packageIdParameter = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Only playback in this package',
});

export const timeZoneParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "IANA time zone for dates and hours; default: the account's",
  examples: ['Asia/Seoul'],
});

export const bomParameter = Type.Enum(['1'], {
  description: 'For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8',
});

/** Of `filters`. */
export const mostConditions = 20;
/** Of one condition: each may be a key to look up. */
export const mostValues = 100;

export const filtersParameter = Type.String({
  minLength: 1,
  maxLength: 16_384,
  description:
    'Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` ' +
    '(none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does ' +
    `not). At most ${mostConditions} conditions, each of at most ${mostValues} values. ` +
    'Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for ' +
    'what people call content. After `==` and `!=`, times, countries and other closed sets have ' +
    'values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write ' +
    '`\\,` `\\;` and `\\\\` for `,` `;` and `\\`',
  examples: ['country==KR,JP;device!=tv'],
});
