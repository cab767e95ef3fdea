/** The dialogs in which an alert or a report is made and changed. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  type Alert,
  type AlertFields,
  PlaymeterError,
  type Report,
  type ReportFields,
} from '../../../client/src/index.ts';
import { dimensions } from '../filters/dimensions.ts';
import { type Filter, readFilters, writeFilters } from '../filters/filters.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { ChoiceField, detailOf, isMarked, TextField, Wrong } from '../frame/fields.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { allMeasures, type Measure, unitOf } from '../measures.ts';
import { server } from '../server.ts';
import { FilterField, numberIn, ReceiverFields, receiversIn } from './rule-fields.tsx';
import { askedIn } from './rule-measures.ts';

const kinds = ['threshold', 'drop', 'silence'] as const;
const intervals = ['hour', 'day'] as const;
const sides = ['above', 'below'] as const;
const periods = ['week', 'month'] as const;
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const;
const usualMeasures: readonly Measure[] = ['plays', 'playMs', 'viewers'];

interface RuleFormProps<Record> {
  /** Undefined: a new one. */
  readonly of: Record | undefined;
  readonly canMail: boolean;
  readonly onDone: (secret: string | null) => void;
  readonly onClose: () => void;
}

export function AlertForm({ of, canMail, onDone, onClose }: RuleFormProps<Alert>) {
  const { t } = useReader();
  const [kind, setKind] = useState(of?.kind ?? 'threshold');
  const [measure, setMeasure] = useState<Measure>(of?.measure ?? 'plays');
  const change = useChange(
    (fields: AlertFields) =>
      of ? server.manage.changeAlert(of.alertId, fields) : server.manage.addAlert(fields),
    ...['alerts', 'audit'],
  );
  const { error } = change;
  const { size, name: unit } = askedIn[unitOf[measure]];
  const inUnit = (name: string) =>
    unit === undefined ? name : t('alerts.inUnit', { name, unit: t(unit) });
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : Number((value / size).toPrecision(12));
  const read = (fields: FormData): AlertFields => {
    const receivers = receiversIn(fields);
    if (kind === 'silence') return { ...receivers, kind, ...given('minutes', fields) };
    const per = fields.get('per') === 'hour' ? 'hour' : 'day';
    const limit = numberIn(fields, 'limit', size);
    const side = fields.get('side') === 'below' ? 'below' : 'above';
    const terms =
      kind === 'threshold'
        ? { ...(limit === undefined ? {} : { [side]: limit }) }
        : {
            ...given('percent', fields),
            ...given('weeks', fields),
            ...given('atLeast', fields, size),
          };
    return { ...receivers, kind, measure, per, ...terms };
  };
  const limitError = detailOf(error, 'below') === undefined ? 'above' : 'below';
  return (
    <RuleDialog
      title={of ? t('alerts.editing', { name: of.name }) : t('alerts.newAlert')}
      {...{ of, canMail, change, read, onDone, onClose }}
    >
      <ChoiceField
        {...{ name: 'kind', label: t('alerts.kind'), error, value: kind, onChoose: setKind }}
        options={kinds.map((value) => ({ value, name: t(`alerts.kind.${value}`) }))}
      />
      {kind === 'silence' ? (
        <NumberField
          {...{ name: 'minutes', label: t('alerts.minutes'), error, min: 5, max: 1_440 }}
          defaultValue={of?.minutes ?? 30}
        />
      ) : (
        <>
          <ChoiceField
            {...{ name: 'measure', label: t('alerts.measure'), error, value: measure }}
            onChoose={setMeasure}
            options={allMeasures.map((value) => ({ value, name: t(`measure.${value}`) }))}
          />
          <ChoiceField
            {...{ name: 'per', label: t('alerts.per'), error, defaultValue: of?.per ?? 'day' }}
            options={intervals.map((value) => ({ value, name: t(`alerts.per.${value}`) }))}
          />
        </>
      )}
      {kind === 'threshold' && (
        <>
          <ChoiceField
            {...{ name: 'side', label: t('alerts.side'), error }}
            defaultValue={typeof of?.below === 'number' ? 'below' : 'above'}
            options={sides.map((value) => ({ value, name: t(`alerts.${value}`) }))}
          />
          <NumberField
            {...{ name: 'limit', label: inUnit(t('alerts.limit')), min: 0, step: 'any' }}
            error={renamed(error, limitError, 'limit')}
            defaultValue={shown(of?.above ?? of?.below)}
          />
        </>
      )}
      {kind === 'drop' && (
        <>
          <NumberField
            {...{ name: 'percent', label: t('alerts.percent'), error, min: 1, max: 100 }}
            defaultValue={of?.percent ?? 50}
          />
          <NumberField
            {...{ name: 'weeks', label: t('alerts.weeks'), error, min: 1, max: 8 }}
            defaultValue={of?.weeks ?? 4}
          />
          <NumberField
            {...{ name: 'atLeast', label: inUnit(t('alerts.atLeast')), error, min: 0, step: 'any' }}
            defaultValue={shown(of?.atLeast ?? 0)}
          />
        </>
      )}
    </RuleDialog>
  );
}

export function ReportForm({ of, canMail, onDone, onClose }: RuleFormProps<Report>) {
  const { t, formats } = useReader();
  const [every, setEvery] = useState(of?.every ?? 'week');
  const chosen: readonly string[] = of?.measures.split(',') ?? usualMeasures;
  const change = useChange(
    (fields: ReportFields) =>
      of ? server.manage.changeReport(of.reportId, fields) : server.manage.addReport(fields),
    ...['reports', 'audit'],
  );
  const { error } = change;
  const known = dimensions
    .filter(({ under }) => under === undefined)
    .map(({ name, title }) => ({ value: name as string, name: t(title) }));
  const own = of?.dimension ?? 'video';
  const others = known.some(({ value }) => value === own) ? [] : [{ value: own, name: own }];
  const read = (fields: FormData): ReportFields => {
    const ticked = allMeasures.filter((name) => fields.get(`measure-${name}`) === 'on');
    // The rows are those that are largest by the first one, which stays the first.
    const measures = [
      ...chosen.filter((name) => ticked.some((one) => one === name)),
      ...ticked.filter((name) => !chosen.includes(name)),
    ];
    return {
      ...receiversIn(fields),
      ...{ every, measures: measures.join(',') },
      ...(every === 'week' ? given('weekday', fields) : {}),
      ...given('hour', fields),
      ...given('top', fields),
      dimension: String(fields.get('dimension')) || null,
    };
  };
  return (
    <RuleDialog
      title={of ? t('alerts.editing', { name: of.name }) : t('alerts.newReport')}
      {...{ of, canMail, change, read, onDone, onClose }}
    >
      <ChoiceField
        {...{ name: 'every', label: t('alerts.every'), error, value: every, onChoose: setEvery }}
        options={periods.map((value) => ({ value, name: t(`alerts.every.${value}`) }))}
      />
      {every === 'week' && (
        <ChoiceField
          {...{ name: 'weekday', label: t('alerts.weekday'), error }}
          defaultValue={weekdays[(of?.weekday ?? 1) - 1] ?? '1'}
          options={weekdays.map((value) => ({ value, name: formats.weekday(Number(value)) }))}
        />
      )}
      <NumberField
        {...{ name: 'hour', label: t('alerts.hour'), error, min: 0, max: 23 }}
        defaultValue={of?.hour ?? 6}
      />
      <fieldset className="columns">
        <legend>{t('alerts.measures')}</legend>
        {allMeasures.map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              name={`measure-${name}`}
              defaultChecked={chosen.includes(name)}
            />
            {t(`measure.${name}`)}
          </label>
        ))}
        <Wrong detail={detailOf(error, 'measures')} />
      </fieldset>
      <ChoiceField
        {...{ name: 'dimension', label: t('alerts.dimension'), error }}
        defaultValue={of?.dimension === null ? '' : own}
        options={[{ value: '', name: t('alerts.noDimension') }, ...known, ...others]}
      />
      <NumberField
        {...{ name: 'top', label: t('alerts.top'), error, min: 1, max: 50 }}
        defaultValue={of?.top ?? 10}
      />
    </RuleDialog>
  );
}

type NumberFieldProps = Parameters<typeof TextField>[0];

function NumberField(props: NumberFieldProps) {
  return <TextField type="number" required {...props} />;
}

function given<Name extends string>(name: Name, fields: FormData, size?: number) {
  const value = numberIn(fields, name, size);
  return value === undefined ? {} : ({ [name]: value } as { [Member in Name]?: number });
}

/** The form has one field for two members. */
function renamed(error: unknown, from: string, to: string): unknown {
  if (!(error instanceof PlaymeterError)) return error;
  const errors = error.errors.map((one) =>
    one.parameter === from ? { ...one, parameter: to } : one,
  );
  return new PlaymeterError(error.code, error.detail, { errors });
}

/** Of alerts and reports alike. */
type AnyFormProps = RuleFormProps<Pick<Alert, 'name' | 'filters' | 'url' | 'mailTo'>>;

interface RuleDialogProps<Fields> extends AnyFormProps {
  readonly title: string;
  readonly change: {
    readonly mutateAsync: (fields: Fields) => Promise<{ readonly secret: string | null }>;
    readonly error: unknown;
    readonly isPending: boolean;
  };
  readonly read: (fields: FormData) => Fields;
  readonly children: ReactNode;
}

/** What alerts and reports have in common stands before and after what is their own. */
function RuleDialog<Fields>(props: RuleDialogProps<Fields>) {
  const { title, of, canMail, change, read, onDone, onClose, children } = props;
  const { t } = useReader();
  const { error, isPending } = change;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [filters, filterBy] = useState<readonly Filter[]>(() => readFilters(of?.filters ?? ''));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = read(new FormData(event.currentTarget));
    const made = await change.mutateAsync(fields).catch(() => undefined);
    if (made !== undefined) onDone(made.secret);
  };
  // An effect: only then are the fields marked.
  useEffect(() => {
    if (error === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus({ focusVisible: true });
  }, [error]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form id={id} ref={form} className="fields" onSubmit={(event) => void submit(event)}>
        <TextField
          {...{ name: 'name', label: t('alerts.name'), error }}
          required
          maxLength={200}
          defaultValue={of?.name}
        />
        {children}
        <ReceiverFields {...of} {...{ canMail, error }} />
        <input type="hidden" name="filters" value={writeFilters(filters)} />
      </form>
      {/* Outside: it opens a form of its own. */}
      <div className="fields">
        <FilterField {...{ filters, filterBy, error }} />
        {isMarked(error) && (
          <p className="note bad" role="alert">
            {t('alerts.fix')}
          </p>
        )}
        {error !== null && !isMarked(error) && <ErrorNote error={error} />}
        <div className="actions">
          <ActionButton type="submit" form={id} className="primary" isBusy={isPending}>
            {of ? t('form.save') : t('form.create')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}
