/** What people call a value of a dimension. */
import { useReader } from '../language.tsx';
import type { Row } from '../questions.ts';
import { cellOf, type Dimension } from './dimensions.ts';
import { keptHost, keptPage, readableHost, readablePage } from './readable-address.ts';

export function useValueNames() {
  const { t, formats } = useReader();
  const nameOf = (dimension: string, value: string): string => {
    if (value === 'Unknown') return t('value.unknown');
    if (value === 'Other') return t('value.other');
    if (dimension === 'country') return formats.country(value);
    if (dimension === 'page') return readablePage(value);
    if (dimension === 'host' || dimension === 'referrer') return readableHost(value);
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

/** What is searched for, as values of the dimension have it. */
export function keptText(dimension: string, text: string): string {
  if (dimension === 'page') return keptPage(text);
  return dimension === 'host' || dimension === 'referrer' ? keptHost(text) : text;
}
