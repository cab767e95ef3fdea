/** What is wrong, and for whom: in sentences, the costliest first. */
import { setFilter, writeFilters } from '../filters/filters.ts';
import { useValueNames } from '../filters/value-name.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useReader } from '../language.tsx';
import { usePageUrl, withSearch } from '../page-url.ts';
import { useView } from '../statistics.ts';
import { leastCost, leastRanked, type TroubleOfGroup } from './findings.ts';
import { type FoundGroup, mostCombinations, useFindings } from './use-findings.ts';

export function FindingsPanel() {
  const { t, formats } = useReader();
  const { found, titles, failed, isPending, old } = useFindings();
  const title = t('findings.title');
  return (
    <section
      className="panel findings"
      aria-label={title}
      aria-busy={isPending || old !== undefined}
    >
      <PanelHead
        title={title}
        about={
          <p>
            {t('findings.what', {
              ...{ least: leastRanked, share: formats.share(leastCost) },
              most: formats.number(mostCombinations),
            })}
          </p>
        }
      />
      <OldDates of={old?.asked} />
      {failed && <ErrorNote error={failed.error} retry={failed.refetch} />}
      {isPending && found.length === 0 && !failed && <Loading />}
      {!isPending && !failed && found.length === 0 && (
        <p className="quiet empty">{t('findings.none', { least: leastRanked })}</p>
      )}
      <ol>
        {found.map((one) => (
          <FoundRow key={JSON.stringify([one.day, one.pairs])} found={one} titles={titles} />
        ))}
      </ol>
    </section>
  );
}

interface FoundRowProps {
  readonly found: FoundGroup;
  readonly titles: ReadonlyMap<string, string>;
}

function FoundRow({ found, titles }: FoundRowProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const url = usePageUrl();
  const { nameOf } = useValueNames();
  const { pairs, day, troubles, attempts, allAttempts } = found;
  const parts = pairs.map(([name, value]) => {
    const shown = name === 'video' ? (titles.get(value) ?? value) : nameOf(name, value);
    return t(`findings.who.${name}`, { name: shown });
  });
  const who =
    parts.length === 0
      ? t('findings.everybody')
      : t('findings.who', {
          parts: parts.reduce((one, other) => t('findings.who.pair', { one, other })),
        });
  const worst = troubles.reduce((one, other) => (other.cost > one.cost ? other : one));
  const ofDay = day === undefined ? {} : { period: 'custom', from: day, to: day };
  const filters = writeFilters(
    pairs.reduce((some, [name, value]) => setFilter(some, name, value), view.filters),
  );
  const date = day === undefined ? undefined : formats.time(day, 'date', 'long');
  return (
    <li>
      <div className="finding">
        <strong className="who">
          {date === undefined ? who : `${t('findings.onDay', { date })}: ${who}`}
        </strong>
        <ul className="clauses">
          {troubles.map((trouble) => (
            <Clause key={trouble.name} trouble={trouble} />
          ))}
        </ul>
      </div>
      <p className="quiet">
        {[
          t('findings.size', { count: formats.number(attempts), of: formats.number(allAttempts) }),
          t(`findings.cost.${worst.name}`, { share: formats.share(worst.cost) }),
        ].join(' · ')}
      </p>
      <p className="finding-links">
        {pairs.length > 0 && (
          <Link href={withSearch(url, { ...ofDay, filters })}>{t('findings.showGroup')}</Link>
        )}
        {day !== undefined && <Link href={withSearch(url, ofDay)}>{t('findings.showDay')}</Link>}
      </p>
    </li>
  );
}

function Clause({ trouble: { name, value, rest } }: { readonly trouble: TroubleOfGroup }) {
  const { t, formats } = useReader();
  const write = name === 'startup' ? formats.wait : formats.share;
  const more = formats.wait(value - rest);
  const text = t(`findings.${name}`, { value: write(value), rest: write(rest), more });
  return <li>{text}</li>;
}
