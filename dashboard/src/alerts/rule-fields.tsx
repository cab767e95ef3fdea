/** Fields that the forms of alerts and reports have in common. */
import { FilterChips } from '../filters/filter-bar.tsx';
import type { Filter } from '../filters/filters.ts';
import { detailOf, TextField, Wrong } from '../frame/fields.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';

interface ReceiverFieldsProps {
  readonly url?: string | null | undefined;
  /** Undefined: a new one, which proposes the person's own address. */
  readonly mailTo?: readonly string[] | undefined;
  readonly canMail: boolean;
  readonly error: unknown;
}

/** Who hears of it. */
export function ReceiverFields({ url, mailTo, canMail, error }: ReceiverFieldsProps) {
  const { t } = useReader();
  const { person } = usePerson();
  const mayPost = useMay('manager');
  const isMailed = canMail || (mailTo !== undefined && mailTo.length > 0);
  return (
    <>
      {mayPost && (
        <TextField
          {...{ name: 'url', label: t('alerts.url'), error }}
          type="url"
          defaultValue={url ?? ''}
          placeholder="https://"
        />
      )}
      {isMailed ? (
        <TextField
          {...{ name: 'mailTo', label: t('alerts.mailTo'), what: t('alerts.mailTo.what'), error }}
          defaultValue={mailTo?.join(', ') ?? person?.email ?? ''}
        />
      ) : (
        <p className="quiet">{t('alerts.noMail')}</p>
      )}
    </>
  );
}

interface FilterFieldProps {
  readonly filters: readonly Filter[];
  readonly filterBy: (filters: readonly Filter[]) => void;
  readonly error: unknown;
}

/** Which playback counts. */
export function FilterField({ filters, filterBy, error }: FilterFieldProps) {
  const { t } = useReader();
  return (
    <fieldset>
      <legend>{t('alerts.filters')}</legend>
      <FilterChips {...{ filters, filterBy }}>
        <span className="quiet">{t('alerts.filters.none')}</span>
      </FilterChips>
      <Wrong detail={detailOf(error, 'filters')} />
    </fieldset>
  );
}

export function receiversIn(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '').trim();
  return {
    name: text('name'),
    filters: text('filters') || null,
    ...(fields.has('url') && { url: text('url') || null }),
    mailTo: text('mailTo')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

/** Left out where nothing was written. */
export function numberIn(fields: FormData, name: string, size = 1): number | undefined {
  const text = String(fields.get(name) ?? '').trim();
  // 0.07 times 100 is no whole number.
  return text === '' ? undefined : Number((Number(text) * size).toPrecision(12));
}
