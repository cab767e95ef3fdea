/** Whether playback starts and runs: for how many it does not, when, and for whom. */

import { FilterBar } from '../filters/filter-bar.tsx';
import { DrawnLater } from '../frame/drawn-later.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { AfterFigures } from '../overview/after-figures.tsx';
import { Figures } from '../overview/figures.tsx';
import { FirstRun } from '../overview/first-run.tsx';
import { MainChart } from '../overview/main-chart.tsx';
import { NothingPlayed } from '../overview/nothing-played.tsx';
import { PeriodControls } from '../overview/period-controls.tsx';
import { useComparedText } from '../overview/use-compared-text.ts';
import { useFigures } from '../overview/use-figures.ts';
import { useView } from '../statistics.ts';
import { FindingsPanel } from './findings-panel.tsx';
import { GroupTable } from './group-table.tsx';
import { SpreadPanel } from './spread-panel.tsx';

export function QualityPage() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { view } = useView();
  const range = formats.range(view.from, view.to);
  const detail = `${t('period.inZone', { range, zone: timeZone })}${useComparedText()}`;
  return (
    <>
      <PageHead title={t('nav.quality')} detail={detail}>
        <PeriodControls />
      </PageHead>
      <FilterBar />
      <DrawnLater>
        <Content />
      </DrawnLater>
    </>
  );
}

function Content() {
  const { data } = useFigures(undefined);
  const { attempts, views } = data?.qualityBasis ?? {};
  if (attempts === 0 && views !== 0) return <NoneReported />;
  if (attempts === 0) {
    return (
      <>
        <FirstRun />
        <NothingPlayed />
      </>
    );
  }
  return (
    <>
      <Figures />
      <AfterFigures>
        <FindingsPanel />
      </AfterFigures>
      <MainChart />
      <AfterFigures>
        <SpreadPanel />
        <GroupTable />
      </AfterFigures>
    </>
  );
}

/** Something was played, but nothing is known of its quality: who would tell. */
function NoneReported() {
  const { t } = useReader();
  return (
    <section className="panel" aria-label={t('quality.none.title')}>
      <h2>{t('quality.none.title')}</h2>
      <p>{t('quality.none')}</p>
      <p>
        <a href="/docs/guide/players#who-tells-what">{t('quality.none.link')}</a>
      </p>
    </section>
  );
}
