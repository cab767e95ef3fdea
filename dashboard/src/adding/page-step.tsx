import { useState } from 'react';
import { CopyButton } from '../frame/copy-button.tsx';
import { Link } from '../frame/link.tsx';
import { Segments } from '../frame/segments.tsx';
import { useReader } from '../language.tsx';
import { FirstPlay } from '../overview/first-play.tsx';
import { usePlaysEver } from '../overview/use-plays-ever.ts';
import type { Published } from './new-video.ts';
import { snippetKinds, snippetOf } from './snippets.ts';

interface PageStepProps {
  readonly published: Published;
  readonly onClose: () => void;
}

/** What goes into the page that plays the video; then its first play is waited for, and seen. */
export function PageStep({ published, onClose }: PageStepProps) {
  const { t } = useReader();
  const { accessKey, videoKey } = published;
  const [kind, setKind] = useState<(typeof snippetKinds)[number]>('one');
  const plays = usePlaysEver(accessKey);
  const snippet = snippetOf(kind, location.origin, videoKey);
  return (
    <section className="page-step" aria-label={t('add.page')}>
      <Segments
        label={t('add.kind')}
        value={kind}
        options={snippetKinds.map((value) => ({ value, name: t(`add.kind.${value}`) }))}
        onChoose={setKind}
      />
      <p className="quiet">
        {t(`add.kind.${kind}.what`)}{' '}
        {kind === 'player' && <a href="/docs/guide/players">{t('add.players')}</a>}
      </p>
      <div className="embed">
        <code className="block">{snippet}</code>
        <CopyButton text={snippet} />
      </div>
      <details>
        <summary>{t('add.keys')}</summary>
        <dl>
          <dt>{t('add.videoKey')}</dt>
          <dd>
            <code>{videoKey}</code> {t('add.videoKey.what')}
          </dd>
          <dt>{t('video.key')}</dt>
          <dd>
            <code>{accessKey}</code> {t('add.accessKey.what')}
          </dd>
        </dl>
      </details>
      <FirstPlay accessKey={accessKey} />
      <div className="actions">
        {plays ? (
          <Link className="button" href={`/videos/${encodeURIComponent(accessKey)}`}>
            {t('add.statistics')}
          </Link>
        ) : (
          <a className="button" href={`/watch/${videoKey}`} target="_blank" rel="noreferrer">
            {t('guide.watch')}
          </a>
        )}
        <button type="button" onClick={onClose}>
          {t('add.close')}
        </button>
      </div>
    </section>
  );
}
