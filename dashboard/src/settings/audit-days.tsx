/** Changes, folded by the day of the account; the newest day lies open. */
import type { AuditEntry } from '../../../client/src/index.ts';
import { todayIn } from '../calendar.ts';
import type { DataRow } from '../frame/data-table.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';

interface AuditDaysProps {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  readonly heads: readonly string[];
  readonly rowOf: (entry: AuditEntry) => DataRow;
  /** There are more of the last day, perhaps. */
  readonly isCut: boolean;
}

export function AuditDays({ entries, heads, rowOf, isCut }: AuditDaysProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  if (entries.length === 0) return <p className="quiet empty">{t('audit.none')}</p>;
  const days = [...Map.groupBy(entries, ({ at }) => todayIn(timeZone, new Date(at)))];
  return days.map(([day, ofDay], index) => {
    const isLastCut = isCut && index === days.length - 1;
    const count = `${formats.number(ofDay.length)}${isLastCut ? '+' : ''}`;
    return (
      <details key={day} className="audit-day" open={index === 0 || undefined}>
        <summary>
          {formats.time(day, 'date', 'long')}{' '}
          <span className="quiet">{t('audit.count', { count })}</span>
        </summary>
        <RecordTable
          caption={formats.date(day)}
          heads={heads}
          empty={t('audit.none')}
          rows={ofDay.map(rowOf)}
        />
      </details>
    );
  });
}
