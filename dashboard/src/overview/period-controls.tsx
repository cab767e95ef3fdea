import { type FormEvent, useState } from 'react';
import { todayIn } from '../calendar.ts';
import { Choice } from '../frame/choice.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { comparisons, periods } from '../view.ts';
import { SavedViews } from '../views/saved-views.tsx';

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
      <Choice
        label={t('period.label')}
        value={isAsking ? 'custom' : view.period}
        options={periods.map((value) => ({ value, name: t(`period.${value}`) }))}
        onChoose={choose}
      />
      {(isAsking || view.period === 'custom') && <DateForm />}
      <Choice
        label={t('compare.label')}
        value={view.compare}
        options={comparisons.map((value) => ({ value, name: t(`compare.${value}`) }))}
        onChoose={(compare) => change({ compare })}
      />
      <SavedViews />
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
      {(['from', 'to'] as const).map((end) => (
        <input
          key={end}
          type="date"
          name={end}
          required
          max={today}
          defaultValue={view[end]}
          aria-label={t(`period.${end}`)}
        />
      ))}
      <button type="submit">{t('period.show')}</button>
    </form>
  );
}
