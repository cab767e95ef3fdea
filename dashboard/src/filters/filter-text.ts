import { type MessageName, useReader } from '../language.tsx';
import { dimensions } from './dimensions.ts';
import type { Filter } from './filters.ts';
import { useValueNames } from './value-name.ts';

export const operatorNames: Readonly<Record<Filter['operator'], MessageName>> = {
  '==': 'filter.is',
  '!=': 'filter.isNot',
  '=@': 'filter.contains',
  '!@': 'filter.containsNot',
};

/** Filters in words, by their values: of content these are keys. */
export function useFilterTexts(filters: readonly Filter[]): string[] {
  const { t } = useReader();
  const { nameOf } = useValueNames();
  return filters.map(({ name, operator, values }) => {
    const texts = values.map((value) => nameOf(name, value)).join(', ');
    return `${titleOfFilter(name, t)}${t(operatorNames[operator])} ${texts}`;
  });
}

export function titleOfFilter(name: string, t: (name: MessageName) => string): string {
  const dimension = dimensions.find((one) => one.name === name || one.label === name);
  return dimension ? t(dimension.title) : name.replace(/^label\./, '');
}
