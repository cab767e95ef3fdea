import { type FormEvent, useState } from 'react';
import { todayIn } from '../calendar.ts';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { comparisons, periods } from '../view.ts';

export function PeriodControls() {
  const { t } = useReader();
  const { view, change } = useView();
  const [isAsking, setAsking] = useState(false);
  const choose = (period: string) => {
    setAsking(period === 'custom');
    if (period !== 'custom') change({ period, from: undefined, to: undefined });
  };
  return (
    <>
      <select
        aria-label={t('period.label')}
        value={isAsking ? 'custom' : view.period}
        onChange={({ target }) => choose(target.value)}
      >
        {periods.map((period) => (
          <option key={period} value={period}>
            {t(`period.${period}`)}
          </option>
        ))}
      </select>
      {(isAsking || view.period === 'custom') && <DateForm />}
      <select
        aria-label={t('compare.label')}
        value={view.compare}
        onChange={({ target }) => change({ compare: target.value })}
      >
        {comparisons.map((comparison) => (
          <option key={comparison} value={comparison}>
            {t(`compare.${comparison}`)}
          </option>
        ))}
      </select>
    </>
  );
}

function DateForm() {
  const { t } = useReader();
  const { timeZone } = usePerson();
  const { view, change } = useView();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const dates = new FormData(event.currentTarget);
    const [one, other] = [String(dates.get('from')), String(dates.get('to'))].sort();
    change({ period: 'custom', from: one, to: other });
  };
  const today = todayIn(timeZone);
  return (
    <form className="dates" onSubmit={submit} key={`${view.from} ${view.to}`}>
      <input
        type="date"
        name="from"
        required
        max={today}
        defaultValue={view.from}
        aria-label={t('period.from')}
      />
      <input
        type="date"
        name="to"
        required
        max={today}
        defaultValue={view.to}
        aria-label={t('period.to')}
      />
      <button type="submit">{t('period.show')}</button>
    </form>
  );
}
