/** Filters as the interface and the URL write them: NAME==a,b;NAME!=c;NAME=@text */

export type Operator = '==' | '!=' | '=@' | '!@';

export interface Filter {
  readonly name: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** As many as a question may have. */
export const mostFilters = 20;
/** Of one filter. */
export const mostValues = 100;

/** Whether a text is looked for in values, in place of whole values. */
export function isTextOperator(operator: Operator): boolean {
  return operator === '=@' || operator === '!@';
}

export function writeFilters(filters: readonly Filter[]): string {
  return filters
    .map(({ name, operator, values }) => name + operator + values.map(quoted).join(','))
    .join(';');
}

/** What has not this form is left out: a URL may have been cut. */
export function readFilters(text: string): Filter[] {
  return split(text, ';').flatMap((condition) => {
    const found = /^\s*([A-Za-z]+(?:\.[^=!]+?)?)\s*(==|!=|=@|!@)(.+)$/s.exec(condition);
    if (!found) return [];
    const [, name = '', operator, values = ''] = found;
    return [{ name, operator: operator as Operator, values: split(values, ',').map(bare) }];
  });
}

/** With this value as the only one of its name. */
export function setFilter(filters: readonly Filter[], name: string, value: string): Filter[] {
  const others = filters.filter((filter) => filter.name !== name);
  return [...others, { name, operator: '==', values: [value] }];
}

/** With another one in the place of one of them, or at the end, and of its kind no second one. */
export function replaceFilter(
  filters: readonly Filter[],
  was: Filter | undefined,
  next: Filter,
): Filter[] {
  const isIt = (filter: Filter) =>
    was !== undefined && writeFilters([filter]) === writeFilters([was]);
  const isOfKind = ({ name, operator }: Filter) => name === next.name && operator === next.operator;
  const others = filters.filter((filter) => isIt(filter) || !isOfKind(filter));
  return others.some(isIt)
    ? others.map((filter) => (isIt(filter) ? next : filter))
    : [...others, next];
}

/** The same; without it, if it was that before. */
export function toggleFilter(filters: readonly Filter[], name: string, value: string): Filter[] {
  const was = filters.find((filter) => filter.name === name);
  const isSame = was?.operator === '==' && was.values.length === 1 && was.values[0] === value;
  return isSame
    ? filters.filter((filter) => filter.name !== name)
    : setFilter(filters, name, value);
}

function quoted(value: string): string {
  return value.replace(/[\\,;]/g, (character) => `\\${character}`);
}

function bare(value: string): string {
  return value.replace(/\\(.)/gs, '$1');
}

/** At the marks that no backslash stands before. */
function split(text: string, mark: ',' | ';'): string[] {
  return text.match(new RegExp(`(?:\\\\.|[^\\\\${mark}])+`, 'gs')) ?? [];
}
