/** Fields that the forms of alerts and reports have in common. */
import { TextField } from '../frame/fields.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';

interface ReceiverFieldsProps {
  readonly url?: string | null | undefined;
  /** Undefined: a new one, which proposes the person's own address. */
  readonly mailTo?: readonly string[] | undefined;
  readonly filters?: string | null | undefined;
  readonly canMail: boolean;
  readonly error: unknown;
}

/** What alerts and reports have in common: which playback, and who hears of it. */
export function ReceiverFields({ url, mailTo, filters, canMail, error }: ReceiverFieldsProps) {
  const { t } = useReader();
  const { person } = usePerson();
  const mayPost = useMay('manager');
  const isMailed = canMail || (mailTo !== undefined && mailTo.length > 0);
  return (
    <>
      <TextField
        {...{ name: 'filters', label: t('alerts.filters'), what: t('alerts.filters.what'), error }}
        defaultValue={filters ?? ''}
      />
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
