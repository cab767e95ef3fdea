/** The values of a condition: chosen among those that occur, or a text that is in them. */
import { useDeferredValue, useId } from 'react';
import { ErrorNote } from '../frame/error-note.tsx';
import { useReader } from '../language.tsx';
import type { Row } from '../questions.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { cellOf, type Dimension } from './dimensions.ts';
import { type Filter, mostValues } from './filters.ts';
import { useFilterNames } from './use-filter-names.ts';
import { keptText, useValueNames } from './value-name.ts';

/** The most played; others are found by their text. */
const shownValues = 50;
const mostCodes = 300;

interface FilterValuesProps {
  readonly dimension: Dimension;
  readonly accessKey: string | undefined;
  /** Its values are codes, which are searched by what people call them. */
  readonly isCode: boolean;
  /** A text is looked for, in place of whole values. */
  readonly isText: boolean;
  readonly values: readonly string[];
  readonly text: string;
  /** The other conditions. */
  readonly others: readonly Filter[];
  /** Of what is missing. */
  readonly complaintId: string | undefined;
  readonly onText: (text: string) => void;
  readonly onValues: (values: readonly string[]) => void;
}

export function FilterValues(props: FilterValuesProps) {
  const { dimension, isCode, isText, values, text, complaintId, onText, onValues } = props;
  const { t, formats } = useReader();
  const id = useId();
  const searched = useDeferredValue(text.trim());
  const { data, error, refetch } = useOccurring(props, searched);
  const { rowName } = useValueNames();
  const chosenNames = useFilterNames({ name: dimension.name, values });
  const valueIn = (row: Row) => String(cellOf(row, dimension.name));
  const isFound = (name: string) => name.toLowerCase().includes(searched.toLowerCase());
  const occurring = (data?.rows ?? [])
    .map((row) => ({ value: valueIn(row), name: rowName(dimension, row), plays: row.plays }))
    .filter(({ name }) => !isCode || isFound(name))
    .slice(0, shownValues);
  const chosen = values
    .map((value, index) => ({ value, name: chosenNames[index] ?? value, plays: undefined }))
    .filter(({ value }) => !occurring.some((one) => one.value === value));
  const isFree = !isCode && dimension.label === undefined;
  const typed = keptText(dimension.name, searched);
  const canAdd =
    isFree && typed !== '' && ![...occurring, ...chosen].some((one) => one.value === typed);
  const toggle = (value: string) =>
    onValues(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  return (
    <>
      <label htmlFor={id}>{t(isText ? 'filter.text' : 'filter.search')}</label>
      <input
        id={id}
        type={isText ? 'text' : 'search'}
        autoComplete="off"
        value={text}
        aria-describedby={complaintId}
        aria-invalid={(isText && complaintId !== undefined) || undefined}
        onChange={({ target }) => onText(target.value)}
      />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      <fieldset className="filter-values" aria-describedby={complaintId}>
        <legend>{t(isText ? 'filter.matching' : 'filter.values')}</legend>
        <ul>
          {(isText ? occurring : [...chosen, ...occurring]).map(({ value, name, plays }) => {
            const shown = (
              <>
                <span dir="auto">{name}</span>
                {plays !== undefined && <span className="quiet">{formats.number(plays)}</span>}
              </>
            );
            return (
              <li key={value}>
                {isText ? (
                  shown
                ) : (
                  <label className="check">
                    <input
                      type="checkbox"
                      checked={values.includes(value)}
                      disabled={!values.includes(value) && values.length >= mostValues}
                      onChange={() => toggle(value)}
                    />
                    {shown}
                  </label>
                )}
              </li>
            );
          })}
        </ul>
        {data && occurring.length + chosen.length === 0 && (
          <p className="quiet">
            {searched === '' ? t('list.empty') : t('list.nothingFound', { text: searched })}
          </p>
        )}
      </fieldset>
      {!isText && canAdd && (
        <button type="button" className="plain" onClick={() => toggle(typed)}>
          {t('filter.addValue', { text: searched })}
        </button>
      )}
    </>
  );
}

/** Within what the page shows already: a value that is not there would filter everything away. */
function useOccurring(
  { dimension, accessKey, isCode, others }: FilterValuesProps,
  searched: string,
) {
  const { view } = useView();
  const found: Filter[] =
    isCode || searched === ''
      ? []
      : [
          {
            name: dimension.label ?? dimension.name,
            operator: '=@',
            values: [keptText(dimension.name, searched)],
          },
        ];
  return useQuestion({
    ...parametersOf({ ...view, compare: 'none' }, [...others, ...found]),
    accessKey,
    measures: ['plays'],
    dimensions: [dimension.name],
    pageSize: isCode ? mostCodes : shownValues,
  });
}
