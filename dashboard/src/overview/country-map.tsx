/** Where the measure comes from, beside the list of countries; a click filters by a country. */
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { useSeen } from '../frame/use-seen.ts';
import { useReader } from '../language.tsx';
import { type Shades, shadeOf } from '../map/map-shades.ts';
import { WorldMap } from '../map/world-map.tsx';
import { type ChartMeasure, unitOf } from '../measures.ts';
import { navigate } from '../page-url.ts';
import type { Answer } from '../questions.ts';
import { toggled, useView } from '../statistics.ts';
import { mappedCountries } from './mapped-countries.ts';
import { RowChange, useChangeText } from './row-change.tsx';
import type { RowFigures } from './row-figures.ts';
import { usePicture } from './use-picture.ts';

interface CountryMapProps {
  readonly answer: Answer;
  readonly measure: ChartMeasure;
}

export function CountryMap({ answer, measure }: CountryMapProps) {
  const { t, formats } = useReader();
  const { view, urlWith } = useView();
  const changeText = useChangeText();
  const [frame, isSeen] = useSeen<HTMLElement>();
  const { find, ranked, shades, amountOf } = mappedCountries(answer, measure, view.filters);
  const written = ({ value }: RowFigures) =>
    typeof value === 'number' ? formats.measure(value, unitOf[measure]) : t('map.noData');
  const sharedBy = ({ share }: RowFigures) => (share === undefined ? '' : formats.share(share));
  const name = t('map.name', { name: t(`measure.${measure}`) });
  return (
    <figure className="country-map" ref={frame} aria-label={name}>
      {isSeen ? (
        <WorldMap
          {...{ name, ranked }}
          shadeOf={(code) => shadeOf(amountOf(code), shades)}
          isChosen={(code) => toggled(view, [['country', code]]).length < view.filters.length}
          describe={(code) => {
            const figures = find(code);
            const parts = [written(figures), sharedBy(figures), changeText(figures)];
            return `${formats.country(code)}: ${parts.filter(Boolean).join(', ')}`;
          }}
          tipOf={(code) => <Tip {...{ code, measure, figures: find(code), written, sharedBy }} />}
          onChoose={(code) => {
            if (find(code).value) navigate(urlWith(toggled(view, [['country', code]])));
          }}
        />
      ) : (
        <div className="map" />
      )}
      {shades.steps.length > 0 && <Legend shades={shades} measure={measure} />}
    </figure>
  );
}

interface TipProps {
  readonly code: string;
  readonly measure: ChartMeasure;
  readonly figures: RowFigures;
  readonly written: (figures: RowFigures) => string;
  readonly sharedBy: (figures: RowFigures) => string;
}

function Tip({ code, measure, figures, written, sharedBy }: TipProps) {
  const { t, formats } = useReader();
  const { value, change } = figures;
  const share = sharedBy(figures);
  return (
    <>
      <span>{formats.country(code)}</span>
      <strong>
        {typeof value === 'number' && `${t(`measure.${measure}`)} `}
        {written(figures)}
      </strong>
      {share !== '' && (
        <span className="quiet">
          {t('list.share')} {share}
        </span>
      )}
      {change !== undefined && <RowChange {...{ change, value, measure }} />}
    </>
  );
}

/** What each shade means. */
function Legend({ shades, measure }: { readonly shades: Shades; readonly measure: ChartMeasure }) {
  const { t, formats } = useReader();
  const { steps, isOfShares } = shades;
  const write = (amount: number) =>
    isOfShares ? formats.share(amount) : formats.short(amount, unitOf[measure]);
  const texts = [
    ...(isOfShares ? [write(0)] : []),
    t('map.below', { to: write(steps[0] ?? 0) }),
    ...steps
      .slice(1)
      .map((to, index) => t('map.between', { from: write(steps[index] ?? 0), to: write(to) })),
    t('map.from', { from: write(steps.at(-1) ?? 0) }),
  ];
  const firstShade = isOfShares ? 0 : 1;
  return (
    <figcaption className="shades">
      <span className="quiet">{isOfShares ? t('list.share') : t(`measure.${measure}`)}</span>
      <ul>
        {texts.map((text, index) => (
          <li key={text}>
            <Swatch shade={firstShade + index} /> {text}
          </li>
        ))}
        <li>
          <Swatch shade={undefined} /> {t('map.noData')}
        </li>
      </ul>
    </figcaption>
  );
}

/** The map as a file. */
export function MapPictureButtons({ title }: { readonly title: string }) {
  const { view } = useView();
  return <PictureButtons {...usePicture(title, `${view.measure}-countries`)} />;
}
