/** Until when something works: to the end of a day in UTC, whatever the zone of the account. */
import { todayIn } from '../calendar.ts';
import { useReader } from '../language.tsx';

const zone = 'UTC';

interface LastDayFieldProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly defaultValue?: string;
}

export function LastDayField({ id, name, label, defaultValue }: LastDayFieldProps) {
  const { t } = useReader();
  const what = `${id}What`;
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        type="date"
        min={todayIn(zone)}
        {...{ id, name, defaultValue }}
        aria-describedby={what}
      />
      <p id={what} className="quiet">
        {t('form.lastDay')}
      </p>
    </>
  );
}

/** As the interface takes it; nothing where no day was chosen. */
export function expiryOf(day: string): { readonly expiresAt?: string } {
  return day === '' ? {} : { expiresAt: `${day}T23:59:59Z` };
}
