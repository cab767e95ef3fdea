import { lazy, Suspense, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';

const ShareDialog = lazy(() => import('./share-dialog.tsx'));

interface ShareButtonProps {
  /** Of the page that it stands on. */
  readonly title: string;
  readonly accessKey?: string;
}

/** Makes a link to the page as it is: its days, filters and comparison. */
export function ShareButton(props: ShareButtonProps) {
  const { t } = useReader();
  const { scopes } = usePerson();
  const [isOpen, setOpen] = useState(false);
  if (!scopes.includes('manage')) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="share" /> {t('share.do')}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShareDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
