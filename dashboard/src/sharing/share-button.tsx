import { lazy, useState, useTransition } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
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
  // Until its dialog is loaded, the page stays as it is.
  const [isLoading, start] = useTransition();
  if (!scopes.includes('manage')) return null;
  return (
    <>
      <ActionButton isBusy={isLoading} onClick={() => start(() => setOpen(true))}>
        <Icon name="share" /> {t('share.do')}
      </ActionButton>
      {isOpen && <ShareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
