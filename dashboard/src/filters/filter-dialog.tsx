/** One of several conditions that must hold: on what, how, and with which values. */
import { type FormEvent, useId, useState } from 'react';
import { Choice } from '../frame/choice.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { useReader } from '../language.tsx';
import { useSchema } from '../statistics.ts';
import { cards, isFilterOn, labelCard, ofDelivery, standsAlone } from './dimensions.ts';
import { FilterValues } from './filter-values.tsx';
import { type Filter, isTextOperator, type Operator, replaceFilter } from './filters.ts';
import { keptText, useValueNames } from './value-name.ts';

interface FilterDialogProps {
  readonly accessKey: string | undefined;
  readonly filters: readonly Filter[];
  readonly filterBy: (filters: readonly Filter[]) => void;
  /** The one that is changed; by default it is a new one. */
  readonly filter: Filter | undefined;
  readonly onClose: () => void;
}

const operators = [
  { value: '==', name: 'filter.anyOf' },
  { value: '!=', name: 'filter.noneOf' },
  { value: '=@', name: 'filter.containing' },
  { value: '!@', name: 'filter.notContaining' },
] as const;
/** Whose values are codes: nobody knows which letters are in them. */
const codes: readonly string[] = ['country', 'device', 'connection', 'streamType'];

export default function FilterDialog(props: FilterDialogProps) {
  const { accessKey, filters, filterBy, filter, onClose } = props;
  const { t } = useReader();
  const choices = useChoices();
  const complaintId = useId();
  const [name, setName] = useState<string>();
  const [chosen, setOperator] = useState<Operator>(filter?.operator ?? '==');
  const wasText = filter !== undefined && isTextOperator(filter.operator);
  const [values, setValues] = useState(wasText ? [] : (filter?.values ?? []));
  const [text, setText] = useState(wasText ? filter.values.join(',') : '');
  const [isEmpty, setEmpty] = useState(false);
  const dimension =
    choices.find((one) =>
      name === undefined ? filter && isFilterOn(one, filter) : one.name === name,
    ) ?? choices[0];
  if (dimension === undefined) return null;
  const isCode = codes.includes(dimension.name);
  const operator = isCode && isTextOperator(chosen) ? '==' : chosen;
  const isText = isTextOperator(operator);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next: Filter = isText
      ? {
          name: dimension.label ?? dimension.name,
          operator,
          values: [keptText(dimension.name, text.trim())],
        }
      : { name: dimension.name, operator, values };
    if (next.values.length === 0 || next.values[0] === '') return setEmpty(true);
    filterBy(replaceFilter(filters, filter, next));
    onClose();
  };
  return (
    <Dialog title={t(filter ? 'filter.change' : 'filter.add')} onClose={onClose}>
      <form className="fields filter-form" onSubmit={submit}>
        <div className="inline">
          <Choice
            label={t('filter.what')}
            value={dimension.name as string}
            options={choices.map((one) => ({ value: one.name, name: one.text, group: one.group }))}
            onChoose={(next) => {
              setName(next);
              setValues([]);
            }}
          />
          <Choice
            label={t('filter.how')}
            value={operator}
            options={operators
              .filter(({ value }) => !isCode || !isTextOperator(value))
              .map((one) => ({ value: one.value, name: t(one.name) }))}
            onChoose={setOperator}
          />
        </div>
        <FilterValues
          key={dimension.name}
          {...{ dimension, accessKey, isCode, isText, values, text }}
          others={filters.filter((one) => !isFilterOn(dimension, one))}
          complaintId={isEmpty ? complaintId : undefined}
          onText={(next) => {
            setText(next);
            setEmpty(false);
          }}
          onValues={(next) => {
            setValues(next);
            setEmpty(false);
          }}
        />
        <p id={complaintId} className="complaint" role="alert">
          {isEmpty && t(isText ? 'filter.noText' : 'filter.noValue')}
        </p>
        <div className="actions">
          <button type="submit" className="primary">
            {t('filter.apply')}
          </button>
          <button type="button" onClick={onClose}>
            {t('confirm.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** All that can be filtered by, under the cards that list it. */
function useChoices() {
  const { t } = useReader();
  const { titleOf } = useValueNames();
  const { data } = useSchema();
  const labels = labelCard(data?.dimensions.map(({ name }) => name) ?? []);
  const groups = [
    ...[...cards, ...(labels ? [labels] : [])].map((card) => ({ ...card, title: t(card.name) })),
    { title: t('nav.quality'), dimensions: ofDelivery },
  ];
  return groups.flatMap(({ title: group, dimensions }) =>
    dimensions.filter(standsAlone).map((one) => ({ ...one, group, text: titleOf(one) })),
  );
}
