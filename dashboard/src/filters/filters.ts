/** Filters as the interface and the URL write them: NAME==a,b;NAME!=c;NAME=@text */

const operators = ['==', '!=', '=@', '!@'] as const;
type Operator = (typeof operators)[number];

export interface Filter {
  readonly name: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export function writeFilters(filters: readonly Filter[]): string {
  return filters
    .map(({ name, operator, values }) => name + operator + values.map(quoted).join(','))
    .join(';');
}

/** What has not this form is left out: a URL may have been cut. */
export function readFilters(text: string): Filter[] {
  return split(text, ';').flatMap((condition) => {
    const found = /^([A-Za-z]+(?:\.[^=!]+)?)(==|!=|=@|!@)(.+)$/s.exec(condition);
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
