/** What people call a value of a dimension. */
import { useReader } from '../language.tsx';
import type { Row } from '../questions.ts';
import { cellOf, type Dimension } from './dimensions.ts';

export function useValueNames() {
  const { t, formats } = useReader();
  const nameOf = (dimension: string, value: string): string => {
    if (value === 'Unknown') return t('value.unknown');
    if (value === 'Other') return t('value.other');
    if (dimension === 'country') return formats.country(value);
    return value;
  };
  return {
    nameOf,
    titleOf: ({ title, ownName }: Dimension): string => ownName ?? t(title),
    rowName({ name, under, label }: Dimension, row: Row): string {
      const own = cellOf(row, label ?? name) ?? cellOf(row, name);
      const text = nameOf(name, own === undefined || own === '' ? 'Unknown' : String(own));
      return under === undefined ? text : `${nameOf(under, String(cellOf(row, under)))} ${text}`;
    },
  };
}
