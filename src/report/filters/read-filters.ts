/** Reads the parameter `filters`: `NAME==a,b;NAME!=a;NAME=@text;NAME!@text`. */
import { accept, type Result, refuse } from '../../lib/result.ts';
import { type AudienceDimensionName, audienceDimension } from '../../wire/audience.ts';
import { dimensionOfCaption } from './dimension-of-caption.ts';
import { type DeclaredLabels, readDimension } from './read-dimension.ts';

export type FilterOperator = '==' | '!=' | '=@' | '!@';

/** A condition on a dimension: with `=` it holds for any of the values, with `!` for none. */
export interface Filter {
  readonly dimension: AudienceDimensionName;
  /** Whether it is on what people call the value: the title of a video, say. */
  readonly isOfCaption?: true;
  readonly operator: FilterOperator;
  /** At least one; of `=@` and `!@` exactly one. */
  readonly values: readonly string[];
}

const mostConditions = 20;
const operators = /==|!=|=@|!@/;

/** All conditions must hold. A refusal says everything that is wrong. */
export function readFilters(text: string, labels: DeclaredLabels): Result<Filter[], string> {
  const parts = splitUnescaped(text, ';');
  if (parts.length > mostConditions) return refuse(`may have ${mostConditions} conditions at most`);
  const filters: Filter[] = [];
  const reasons: string[] = [];
  for (const part of parts) {
    const read = readCondition(part, labels);
    if (read.ok) filters.push(read.value);
    else reasons.push(read.reason);
  }
  return reasons.length > 0 ? refuse(reasons.join('; ')) : accept(filters);
}

function readCondition(part: string, labels: DeclaredLabels): Result<Filter, string> {
  const found = operators.exec(part);
  if (!found) {
    return refuse(`has a condition without ==, !=, =@ or !@: "${part}"`);
  }
  const name = part.slice(0, found.index).trim();
  const captioned = dimensionOfCaption.get(name);
  const dimension = captioned ? accept(captioned) : readDimension(name, labels);
  if (!dimension.ok)
    return refuse(`${dimension.reason}, ${[...dimensionOfCaption.keys()].join(', ')}`);
  const operator = found[0] as FilterOperator;
  const rest = part.slice(found.index + operator.length);
  // A text is one, also where it has a comma.
  const texts = operator === '==' || operator === '!=' ? splitUnescaped(rest, ',') : [rest];
  const values: string[] = [];
  for (const one of texts) {
    const value = withoutEscapes(one);
    if (value === undefined) return refuse(`has a "\\" that does not come before , ; or \\`);
    if (value === '') return refuse(`needs a value after ${name}${operator}`);
    values.push(value);
  }
  const isOfCaption = captioned ? ({ isOfCaption: true } as const) : {};
  return checkValues({ dimension: dimension.value, ...isOfCaption, operator, values });
}

function checkValues(filter: Filter): Result<Filter, string> {
  const { values } = audienceDimension(filter.dimension);
  const isWhole = filter.operator === '==' || filter.operator === '!=';
  if (values === undefined || !isWhole) return accept(filter);
  const unknown = filter.values.find((value) => !values.includes(value));
  if (unknown === undefined) return accept(filter);
  return refuse(`has no ${filter.dimension} "${unknown}"; there are ${values.join(', ')}`);
}

/** A backslash takes the character after it along. */
function splitUnescaped(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\\.|./gsu)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** Undefined if a backslash stands before anything but a separator or a backslash. */
function withoutEscapes(text: string): string | undefined {
  const rest = text.replaceAll(/\\[,;\\]/g, '');
  return rest.includes('\\') ? undefined : text.replaceAll(/\\([,;\\])/g, '$1');
}
