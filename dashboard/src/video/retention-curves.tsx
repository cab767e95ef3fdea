/** The curves, where many leave, and all of it as a table. */
import { TableOf } from '../charts/table-of.tsx';
import { Explained } from '../frame/explained.tsx';
import { useReader } from '../language.tsx';
import { leavingPlaces } from './leaving-places.ts';
import { RetentionChart } from './retention-chart.tsx';
import { retentionHeads } from './retention-heads.ts';
import { areOfTwoVideos, type RetentionCurve, type RetentionPair } from './retention-sides.ts';
import { shareOf } from './share-of.ts';

interface RetentionCurvesProps {
  readonly curves: RetentionPair;
  readonly playedMs: number | undefined;
  readonly onSeek: (ms: number) => void;
}

export function RetentionCurves({ curves, playedMs, onSeek }: RetentionCurvesProps) {
  const { t, formats } = useReader();
  const { one, other } = curves;
  const shareAt = (part: number) => formats.share(part / one.data.list.length);
  if (one.data.positionedViews === 0 && !other?.data.positionedViews) {
    const nothing = one.data.views === 0 ? 'retention.none' : 'retention.blind';
    return <p className="quiet empty">{t(nothing)}</p>;
  }
  return (
    <div>
      <Basis curve={one} isNamed={other !== undefined} />
      {other && <Basis curve={other} isNamed />}
      {other && areOfTwoVideos(curves) && (
        <p className="quiet">
          {t('retention.lengths', {
            ...{ one: one.name, length: formats.position(one.data.lengthMs) },
            ...{ other: other.name, otherLength: formats.position(other.data.lengthMs) },
          })}
        </p>
      )}
      <RetentionChart curves={curves} playedMs={playedMs} onSeek={onSeek} />
      <Leaving curve={one} isNamed={other !== undefined} onSeek={onSeek} />
      {other && !areOfTwoVideos(curves) && <Leaving curve={other} isNamed onSeek={onSeek} />}
      <TableOf
        caption={t('retention.name')}
        heads={retentionHeads(curves, t)}
        rows={() =>
          one.data.list.map(({ fromMs, toMs, audience, watched }, index) => [
            areOfTwoVideos(curves)
              ? `${shareAt(index)}–${shareAt(index + 1)}`
              : `${formats.position(fromMs)}–${formats.position(toMs)}`,
            formats.number(audience),
            ...(other === undefined
              ? [formats.number(watched)]
              : [
                  formats.share(shareOf(one, index)),
                  formats.number(other.data.list[index]?.audience ?? 0),
                  formats.share(shareOf(other, index)),
                ]),
          ])
        }
      />
    </div>
  );
}

/** The views on which a curve rests. */
function Basis({ curve, isNamed }: Omit<LeavingProps, 'onSeek'>) {
  const { t, formats } = useReader();
  const { positionedViews, views } = curve.data;
  const [known, of] = [formats.number(positionedViews), formats.number(views)];
  const isAll = positionedViews === views;
  return (
    <p className="quiet">
      {isNamed && `${curve.name}: `}
      {isAll ? t('retention.basisAll') : t('retention.basis', { views: known, of })}
    </p>
  );
}

interface LeavingProps {
  readonly curve: RetentionCurve;
  readonly isNamed: boolean;
  readonly onSeek: (ms: number) => void;
}

function Leaving({ curve, isNamed, onSeek }: LeavingProps) {
  const { t, formats } = useReader();
  const places = leavingPlaces(curve.data);
  if (places.length === 0) return null;
  const named = isNamed ? `${curve.name}: ` : '';
  const stretch = (...ends: number[]) => [...new Set(ends.map(formats.position))].join('–');
  return (
    <Explained name={`${named}${t('retention.leave')}`} about={<p>{t('retention.leave.what')}</p>}>
      {named}
      {t('retention.leave')}{' '}
      {places.map(({ fromMs, toMs, lost }) => (
        <button key={fromMs} type="button" className="chip" onClick={() => onSeek(fromMs)}>
          {stretch(fromMs, toMs)} <strong>−{formats.share(lost)}</strong>
        </button>
      ))}
    </Explained>
  );
}
