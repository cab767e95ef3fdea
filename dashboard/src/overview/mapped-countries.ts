/** What an answer by country says of each country of the map. */
import type { Filter } from '../filters/filters.ts';
import { type Shades, shadesOfShares, shadesOfValues } from '../map/map-shades.ts';
import { type Measure, valueOfNothing } from '../measures.ts';
import type { Answer } from '../questions.ts';
import { hasShare, type RowFigures, rowFigures } from './row-figures.ts';

interface MappedCountries {
  /** Of a country by its code; without a value: nothing is known of it. */
  readonly find: (code: string) => RowFigures;
  /** Those of the answer, the largest first. */
  readonly ranked: readonly string[];
  readonly shades: Shades;
  /** By what it is shaded. */
  readonly amountOf: (code: string) => number | null | undefined;
}

type CountryAnswer = Pick<Answer, 'rows' | 'totals' | 'rowCount'>;

const noData: RowFigures = { value: undefined, share: undefined, change: undefined };
const isCountry = (code: string | undefined): code is string => /^[A-Z]{2}$/.test(code ?? '');

export function mappedCountries(
  { rows, totals, rowCount }: CountryAnswer,
  measure: Measure,
  filters: readonly Filter[],
): MappedCountries {
  const byCode = new Map(rows.map((row) => [row.country, rowFigures(row, totals, measure)]));
  const ranked = rows.flatMap(({ country }) => (isCountry(country) ? [country] : []));
  // What was left out of the question or of the answer, or is known of nobody, is not zero.
  const isWhole =
    ranked.length > 0 &&
    rowCount === rows.length &&
    !filters.some(({ name }) => name === 'country');
  const share = hasShare(measure) ? 0 : undefined;
  const absent = isWhole ? { ...noData, value: valueOfNothing(measure), share } : noData;
  const find = (code: string) => byCode.get(code) ?? absent;
  const values = ranked.flatMap((code) => find(code).value ?? []);
  const shades = hasShare(measure) ? shadesOfShares() : shadesOfValues(values);
  const amountOf = (code: string) => (shades.isOfShares ? find(code).share : find(code).value);
  return { find, ranked, shades, amountOf };
}
