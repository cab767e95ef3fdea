import { type MessageName, useReader } from '../language.tsx';
import { dimensions, isFilterOn } from './dimensions.ts';
import { type Filter, isTextOperator } from './filters.ts';
import { useValueNames } from './value-name.ts';

const sentences: Readonly<Record<Filter['operator'], MessageName>> = {
  '==': 'filter.is',
  '!=': 'filter.isNot',
  '=@': 'filter.contains',
  '!@': 'filter.containsNot',
};

/** A filter in words, with what people call its values. */
export function useFilterText(): (filter: Filter, names: readonly string[]) => string {
  const { t, formats } = useReader();
  return ({ name, operator, values }, names) => {
    // A text that is looked for is one, also where it has a comma.
    const shown = isTextOperator(operator) ? values.join(',') : formats.anyOf(names);
    return t(sentences[operator], { name: titleOfFilter(name, t), values: shown });
  };
}

/** Filters in words, by their values: of content these are keys. */
export function useFilterTexts(filters: readonly Filter[]): string[] {
  const { nameOf } = useValueNames();
  const textOf = useFilterText();
  return filters.map((filter) =>
    textOf(
      filter,
      filter.values.map((value) => nameOf(filter.name, value)),
    ),
  );
}

function titleOfFilter(name: string, t: (name: MessageName) => string): string {
  const dimension = dimensions.find((one) => isFilterOn(one, { name }));
  return dimension ? t(dimension.title) : name.replace(/^label\./, '');
}
