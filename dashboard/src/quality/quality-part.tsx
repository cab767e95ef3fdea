/** The quality of one video, in short. */
import { setFilter, writeFilters } from '../filters/filters.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { headlines } from '../measures.ts';
import { FigureCells } from '../overview/figures.tsx';
import { usePageUrl, withSearch } from '../page-url.ts';
import { parametersOf, qualityPath, useQuestion, useView } from '../statistics.ts';
import { SpreadPart } from './spread-panel.tsx';

interface QualityPartProps {
  readonly accessKey: string;
  readonly title: string;
}

export function QualityPart({ accessKey, title }: QualityPartProps) {
  const { t } = useReader();
  const { shared } = usePerson();
  const { view } = useView();
  const { search } = usePageUrl();
  const question = useQuestion({ ...parametersOf(view), accessKey, measures: headlines });
  const { data, error, refetch } = question;
  const filters = writeFilters(setFilter(view.filters, 'video', accessKey));
  const more = withSearch({ path: qualityPath, search }, { filters, measure: undefined });
  // Nothing was played: the page says so.
  if (data?.qualityBasis?.views === 0) return null;
  return (
    <section className="panel quality-part" aria-label={t('quality.part')}>
      <PanelHead title={t('quality.part')}>
        {!shared && <Link href={more}>{t('quality.open')}</Link>}
      </PanelHead>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {data?.qualityBasis?.attempts === 0 ? (
        <NoneHere />
      ) : (
        <FigureCells
          {...{ measures: headlines, queryOf: () => question, queries: [question], accessKey }}
        />
      )}
      {data?.qualityBasis && data.qualityBasis.attempts > 0 && (
        <SpreadPart {...{ accessKey, title }} />
      )}
    </section>
  );
}

function NoneHere() {
  const { t } = useReader();
  return (
    <p className="quiet">
      {t('quality.noneHere')}{' '}
      <a href="/docs/guide/players#who-tells-what">{t('quality.none.link')}</a>
    </p>
  );
}
