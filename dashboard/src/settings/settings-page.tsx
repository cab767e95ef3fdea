import { useLayoutEffect, useRef } from 'react';
import { Alerts } from '../alerts/alerts.tsx';
import { Link } from '../frame/link.tsx';
import { NotHere } from '../frame/not-here.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useReader } from '../language.tsx';
import { AccountForm } from './account-form.tsx';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { Labels } from './labels.tsx';
import { LedgerPart } from './ledger-part.tsx';
import { Packages } from './packages.tsx';
import { Shares } from './shares.tsx';
import { Signing } from './signing.tsx';
import { Suspects } from './suspects.tsx';

const parts = {
  account: AccountForm,
  keys: Keys,
  packages: Packages,
  signing: Signing,
  labels: Labels,
  shares: Shares,
  alerts: Alerts,
  ledger: LedgerPart,
  suspects: Suspects,
  audit: Audit,
} as const;

type PartName = keyof typeof parts;
const names = Object.keys(parts) as PartName[];

export function SettingsPage({ part = 'account' }: { readonly part?: string | undefined }) {
  const { t } = useReader();
  const name = names.find((one) => one === part);
  const tabs = useRef<HTMLElement>(null);
  // Where there is no room for all of them, that of the open page is in sight.
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector(`[data-part="${name}"]`);
    if (!tabs.current || !current) return;
    const [around, own] = [tabs.current, current].map((node) => node.getBoundingClientRect());
    if (around && own) tabs.current.scrollLeft += middleOf(own) - middleOf(around);
  }, [name]);
  if (name === undefined) return <NotHere />;
  const Part = parts[name];
  return (
    <>
      <PageHead title={t('nav.settings')} />
      <nav className="tabs" ref={tabs} aria-label={t('nav.settings')}>
        {names.map((one) => (
          <Link
            key={one}
            data-part={one}
            href={one === 'account' ? '/settings' : `/settings/${one}`}
            aria-current={one === name ? 'page' : undefined}
          >
            {t(`settings.${one}`)}
          </Link>
        ))}
      </nav>
      <Part />
    </>
  );
}

function middleOf({ left, width }: DOMRect): number {
  return left + width / 2;
}
