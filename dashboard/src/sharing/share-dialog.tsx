import { type FormEvent, useState } from 'react';
import type { NewShare, ShareFields } from '../../../client/src/index.ts';
import { addDays, daysBetween, todayIn } from '../calendar.ts';
import { type Filter, writeFilters } from '../filters/filters.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { CopyButton } from '../frame/copy-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { expiryOf, LastDayField } from '../frame/last-day-field.tsx';
import { usePerson } from '../frame/person.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { usePageUrl } from '../page-url.ts';
import { server } from '../server.ts';
import { useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { usePackages } from '../whole-lists.ts';

const usualDays = 90;

interface ShareDialogProps {
  readonly title: string;
  readonly accessKey?: string;
  readonly onClose: () => void;
}

export default function ShareDialog({ title, accessKey, onClose }: ShareDialogProps) {
  const { t } = useReader();
  const { view } = useView();
  const ofCurve = usePackageOfCurve(accessKey);
  const { mutateAsync, error, isPending } = useChange(
    (fields: ShareFields) => server.manage.addShare(fields),
    'shares',
  );
  const [made, setMade] = useState<NewShare>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = fieldsOf(new FormData(event.currentTarget), view, ofCurve);
    const video = accessKey === undefined ? {} : { accessKey };
    setMade(await mutateAsync({ ...fields, ...video }).catch(() => undefined));
  };
  return (
    <Dialog title={made ? made.name : t('share.title', { title })} onClose={onClose}>
      {made ? (
        <ShownOnce made={made} />
      ) : (
        <form className="fields" onSubmit={(event) => void submit(event)}>
          <p className="quiet">{t('share.what')}</p>
          {ofCurve && <PackageOnly packageId={ofCurve} />}
          <ShareInputs title={title} view={view} />
          {error && <ErrorNote error={error} />}
          <div className="actions">
            <ActionButton type="submit" className="primary" isBusy={isPending}>
              {t('share.create')}
            </ActionButton>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function ShareInputs({ title, view }: { readonly title: string; readonly view: View }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const lastDays = daysBetween(view.from, view.to);
  const isMoving = view.period !== 'custom';
  const today = todayIn(timeZone);
  return (
    <>
      <label htmlFor="shareName">{t('share.name')}</label>
      <input id="shareName" name="name" required maxLength={200} defaultValue={title} />
      <fieldset>
        <legend>{t('share.days')}</legend>
        {isMoving && (
          <label className="check">
            <input type="radio" name="days" value="moving" defaultChecked />
            {t('share.moving', { days: formats.number(lastDays) })}
          </label>
        )}
        <label className="check">
          <input type="radio" name="days" value="fixed" defaultChecked={!isMoving} />
          {t('share.fixed', { range: formats.range(view.from, view.to) })}
        </label>
      </fieldset>
      <LastDayField
        id="shareUntil"
        name="until"
        label={t('share.until')}
        defaultValue={addDays(today, usualDays)}
      />
      <label htmlFor="shareSites">{t('share.sites')}</label>
      <textarea id="shareSites" name="sites" rows={2} aria-describedby="shareSitesWhat" />
      <p id="shareSitesWhat" className="quiet">
        {t('share.sites.what')}
      </p>
    </>
  );
}

/** Of the package that the curve of a video is of; undefined: of all. */
function usePackageOfCurve(accessKey: string | undefined): string | undefined {
  const { search } = usePageUrl();
  return (accessKey !== undefined && search.get('package')) || undefined;
}

function PackageOnly({ packageId }: { readonly packageId: string }) {
  const { t } = useReader();
  const { data } = usePackages();
  const found = data?.find((one) => String(one.packageId) === packageId);
  return <p>{t('share.package', { name: found?.packageName ?? packageId })}</p>;
}

function fieldsOf(form: FormData, view: View, ofCurve: string | undefined): ShareFields {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  // As a filter, whoever looks at the share sees it named above the figures.
  const ofPackage: Filter[] =
    ofCurve === undefined ? [] : [{ name: 'package', operator: '==', values: [ofCurve] }];
  const filters = writeFilters([...view.filters, ...ofPackage]);
  const days =
    text('days') === 'moving'
      ? { lastDays: daysBetween(view.from, view.to) }
      : { sdate: view.from, edate: view.to };
  return {
    ...{ name: text('name'), ...days, compare: view.compare },
    ...(filters === '' ? {} : { filters }),
    ...expiryOf(text('until')),
    origins: text('sites')
      .split(/\s+/)
      .filter((site) => site !== ''),
  };
}

function ShownOnce({ made }: { readonly made: NewShare }) {
  const { t } = useReader();
  const link = location.origin + made.path;
  const title = made.name.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const frame = `<iframe src="${link}" title="${title}" width="100%" height="900"></iframe>`;
  return (
    <>
      <p>{t('share.once')}</p>
      <h3>{t('share.link')}</h3>
      <div className="embed">
        <code className="block">{link}</code>
        <CopyButton text={link} name={t('share.link')} />
      </div>
      {made.origins.length > 0 && (
        <>
          <h3>{t('share.frame')}</h3>
          <div className="embed">
            <code className="block">{frame}</code>
            <CopyButton text={frame} name={t('share.frame')} />
          </div>
        </>
      )}
    </>
  );
}
