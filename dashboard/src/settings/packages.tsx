import type { FormEvent } from 'react';
import type { Package, PackageChanges } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { usePackageSearch } from '../frame/package-search.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { SaveRow } from '../frame/save-row.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { usePackages } from '../whole-lists.ts';

const modes = ['open', 'prefer', 'require'] as const;

const csvHeads = ['packageId', 'packageName', 'packageType', 'allowedOrigins', 'signing'] as const;

export function Packages() {
  const { t } = useReader();
  const { data, error, refetch } = usePackages();
  const { shown, field } = usePackageSearch(data ?? []);
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <>
      <NewPackage />
      <section className="panel" aria-label={t('settings.packages')}>
        <PanelHead title={t('settings.packages')}>
          <TableCsvButton name="packages" table={() => tableOf(data ?? [], csvHeads)} />
        </PanelHead>
        {data === undefined && <Loading />}
        {field}
      </section>
      {shown.map((one) => (
        <PackageForm key={one.packageId} value={one} />
      ))}
    </>
  );
}

function NewPackage() {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useChange(
    (packageName: string) => server.manage.addPackage({ packageName }),
    'packages',
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('packageName'));
    if (await mutateAsync(name).catch(() => undefined)) form.reset();
  };
  return (
    <form className="panel inline" onSubmit={(event) => void submit(event)}>
      <label htmlFor="packageName">{t('packages.new')}</label>
      <input id="packageName" name="packageName" required />
      <ActionButton type="submit" isBusy={isPending}>
        {t('packages.create')}
      </ActionButton>
      {error && <ErrorNote error={error} />}
    </form>
  );
}

function PackageForm({ value }: { readonly value: Package }) {
  const { t } = useReader();
  const { packageId, packageName, allowedOrigins, signing } = value;
  const change = useChange(
    (changes: PackageChanges) => server.manage.changePackage(packageId, changes),
    'packages',
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    change.mutate({
      packageName: String(fields.get('packageName')),
      allowedOrigins: String(fields.get('origins')).split(/\s+/).filter(Boolean),
      signing: modes.find((mode) => mode === fields.get('signing')) ?? signing,
    });
  };
  const id = (name: string) => `${name}-${packageId}`;
  return (
    <form className="panel fields" aria-labelledby={id('title')} onSubmit={submit}>
      <h2 id={id('title')}>
        {packageName} <span className="quiet">{packageId}</span>
      </h2>
      <label htmlFor={id('name')}>{t('packages.name')}</label>
      <input id={id('name')} name="packageName" required defaultValue={packageName} />
      <label htmlFor={id('origins')}>{t('packages.origins')}</label>
      <textarea
        id={id('origins')}
        name="origins"
        rows={2}
        defaultValue={allowedOrigins.join('\n')}
      />
      <p className="quiet">{t('packages.origins.what')}</p>
      <label htmlFor={id('signing')}>{t('packages.signing')}</label>
      <select id={id('signing')} name="signing" defaultValue={signing}>
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {t(`signing.${mode}`)}
          </option>
        ))}
      </select>
      <SaveRow change={change} />
    </form>
  );
}
