import { lazy, useState, useTransition } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';

const SavedViewsDialog = lazy(() => import('./saved-views-dialog.tsx'));

/** The views that are kept under a name, and this one to be kept. */
export function SavedViews() {
  const { t } = useReader();
  const { scopes } = usePerson();
  const [isOpen, setOpen] = useState(false);
  // Until its dialog is loaded, the page stays as it is.
  const [isLoading, start] = useTransition();
  if (!scopes.includes('manage')) return null;
  return (
    <>
      <ActionButton isBusy={isLoading} onClick={() => start(() => setOpen(true))}>
        {t('views.name')}
      </ActionButton>
      {isOpen && <SavedViewsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
