import { type FormEvent, useState } from 'react';
import type { SavedView } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { TextField } from '../frame/fields.tsx';
import { Loading } from '../frame/loading.tsx';
import { useMay } from '../frame/person.tsx';
import { RenameButton } from '../frame/rename-button.tsx';
import { SaveRow } from '../frame/save-row.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { navigate, usePageUrl } from '../page-url.ts';
import { server } from '../server.ts';
import { useWholeList } from '../whole-lists.ts';

const list = 'saved-views';
/** Of the choice of an account, which belongs to whoever looks. */
const ofAccount = 'account';

interface SavedViewsDialogProps {
  readonly onClose: () => void;
}

export default function SavedViewsDialog({ onClose }: SavedViewsDialogProps) {
  const { t } = useReader();
  const { data, error, refetch } = useWholeList(list, server.manage.savedViews);
  const open = ({ page, query }: SavedView) => {
    onClose();
    navigate(query === '' ? page : `${page}?${query}`);
  };
  return (
    <Dialog title={t('views.name')} onClose={onClose}>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <p className="quiet">{t('views.none')}</p>}
      {data && data.length > 0 && (
        <ul className="saved-views">
          {data.map((view) => (
            <OneView key={view.viewId} view={view} onOpen={() => open(view)} />
          ))}
        </ul>
      )}
      <SaveForm />
    </Dialog>
  );
}

interface OneViewProps {
  readonly view: SavedView;
  readonly onOpen: () => void;
}

function OneView({ view: { viewId, name, shared, createdByName }, onOpen }: OneViewProps) {
  const { t } = useReader();
  const mayShare = useMay('manager');
  const { mutateAsync } = useChange(() => server.manage.deleteSavedView(viewId), list);
  return (
    <li>
      <button type="button" className="plain link" dir="auto" onClick={onOpen}>
        {name}
      </button>
      {shared && (
        <span className="quiet" dir="auto">
          {t('views.sharedNote', { name: createdByName || '–' })}
        </span>
      )}
      {(!shared || mayShare) && (
        <span className="note-actions">
          <RenameButton
            name={name}
            of={name}
            className="plain"
            rename={(wanted) => server.manage.changeSavedView(viewId, { name: wanted })}
            reread={[list]}
          />
          <ConfirmButton
            of={name}
            question={t(shared ? 'views.deleteShared.what' : 'views.delete.what')}
            act={() => mutateAsync(undefined)}
          >
            {t('form.delete')}
          </ConfirmButton>
        </span>
      )}
    </li>
  );
}

function SaveForm() {
  const { t } = useReader();
  const url = usePageUrl();
  const mayShare = useMay('manager');
  const [saved, setSaved] = useState('');
  const change = useChange(async (form: FormData) => {
    const search = new URLSearchParams(url.search);
    search.delete(ofAccount);
    return server.manage.addSavedView({
      ...{ name: String(form.get('name')).trim(), page: url.path, query: search.toString() },
      shared: form.get('shared') !== null,
    });
  }, list);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const made = await change.mutateAsync(new FormData(form)).catch(() => undefined);
    setSaved(made?.name ?? '');
    if (made) form.reset();
  };
  return (
    <form className="fields" onSubmit={(event) => void submit(event)}>
      <h3>{t('views.save')}</h3>
      <p className="quiet">{t('views.what')}</p>
      <TextField
        name="name"
        label={t('views.saveName')}
        error={change.error}
        required
        maxLength={200}
      />
      {mayShare && (
        <label className="check">
          <input type="checkbox" name="shared" /> {t('views.shared')}
        </label>
      )}
      <SaveRow change={change} isPrimary />
      <p role="status" className="hidden">
        {saved && t('views.saved', { name: saved })}
      </p>
    </form>
  );
}
