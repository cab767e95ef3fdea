import { Link } from '../frame/link.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { useFigures } from './use-figures.ts';
import { usePlaysEver } from './use-plays-ever.ts';

/** Where the page has nothing to show: what to do next. */
export function NothingPlayed({ accessKey }: { readonly accessKey?: string }) {
  const { t } = useReader();
  const { scopes, shared } = usePerson();
  const { view, change, filterBy } = useView();
  const { data, isPlaceholderData } = useFigures(accessKey);
  const ever = usePlaysEver(accessKey);
  const isNothing = data?.totals.plays === 0 && data.totals.playMs === 0 && !isPlaceholderData;
  if (!isNothing || ever === undefined) return null;
  if (ever === 0) {
    // Of an account without any play, the guide stands here.
    if (accessKey === undefined || shared) return null;
    return (
      <div className="note">
        <p>{t('nothing.video')}</p>
        {scopes.includes('manage') && (
          <Link className="button" href={`/library?code=${encodeURIComponent(accessKey)}`}>
            {t('nothing.code')}
          </Link>
        )}
      </div>
    );
  }
  return (
    <div className="note">
      <p>{t('list.empty')}</p>
      <span className="actions">
        {view.filters.length > 0 && (
          <button type="button" onClick={() => filterBy([])}>
            {t('nothing.unfiltered')}
          </button>
        )}
        {!shared && view.period !== '12mo' && (
          <button
            type="button"
            onClick={() => change({ period: '12mo', from: undefined, to: undefined })}
          >
            {t('period.12mo')}
          </button>
        )}
      </span>
    </div>
  );
}
