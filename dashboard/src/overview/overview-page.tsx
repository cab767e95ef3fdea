import { cards } from '../filters/dimensions.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { DrawnLater } from '../frame/drawn-later.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { ShareButton } from '../sharing/share-button.tsx';
import { useView } from '../statistics.ts';
import { Viewers } from '../viewers/viewers.tsx';
import { AfterFigures } from './after-figures.tsx';
import { Figures } from './figures.tsx';
import { FirstRun } from './first-run.tsx';
import { LabelList } from './label-list.tsx';
import { MainChart } from './main-chart.tsx';
import { NothingPlayed } from './nothing-played.tsx';
import { PeriodControls } from './period-controls.tsx';
import { TopList } from './top-list.tsx';
import { useComparedText } from './use-compared-text.ts';
import { WeekMap } from './week-map.tsx';

export function OverviewPage() {
  const { t, formats } = useReader();
  const { timeZone, shared } = usePerson();
  const { view } = useView();
  const range = formats.range(view.from, view.to);
  const detail = `${t('period.inZone', { range, zone: timeZone })}${useComparedText()}`;
  return (
    <>
      <PageHead title={shared?.name ?? t('nav.overview')} detail={detail}>
        {!shared && <PeriodControls />}
        <ShareButton title={t('nav.overview')} />
      </PageHead>
      <FilterBar />
      <DrawnLater>
        {!shared && <FirstRun />}
        <NothingPlayed />
        <Figures />
        <MainChart />
        <AfterFigures>
          <Viewers />
          <div className="cards">
            {cards.map((card) => (
              <TopList key={card.name} card={card} />
            ))}
            <LabelList />
          </div>
          <WeekMap />
        </AfterFigures>
      </DrawnLater>
    </>
  );
}
