import { type ComponentType, useLayoutEffect, useRef } from 'react';
import { Alerts } from '../alerts/alerts.tsx';
import { Link } from '../frame/link.tsx';
import { NotHere } from '../frame/not-here.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { may, type Role } from '../roles.ts';
import { AccountForm } from './account-form.tsx';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { Labels } from './labels.tsx';
import { LedgerPart } from './ledger-part.tsx';
import { Packages } from './packages.tsx';
import { People } from './people.tsx';
import { Shares } from './shares.tsx';
import { Signing } from './signing.tsx';
import { Suspects } from './suspects.tsx';

/** Each page of the settings, with the least role that it takes. */
const parts = {
  account: { Part: AccountForm, role: 'manager' },
  keys: { Part: Keys, role: 'owner' },
  shares: { Part: Shares, role: 'analyst' },
  alerts: { Part: Alerts, role: 'analyst' },
  audit: { Part: Audit, role: 'analyst' },
  people: { Part: People, role: 'owner' },
  packages: { Part: Packages, role: 'manager' },
  signing: { Part: Signing, role: 'manager' },
  labels: { Part: Labels, role: 'manager' },
  ledger: { Part: LedgerPart, role: 'manager' },
  suspects: { Part: Suspects, role: 'manager' },
} as const satisfies Readonly<
  Record<string, { readonly Part: ComponentType; readonly role: Role }>
>;

type PartName = keyof typeof parts;

const groups: Readonly<
  Record<'account' | 'people' | 'collecting' | 'quality', readonly PartName[]>
> = {
  account: ['account', 'keys', 'shares', 'alerts', 'audit'],
  people: ['people'],
  collecting: ['packages', 'signing', 'labels'],
  quality: ['ledger', 'suspects'],
};

export function SettingsPage({ part }: { readonly part?: string | undefined }) {
  const { t } = useReader();
  const person = usePerson();
  const shown = Object.entries(groups)
    .map(([group, names]) => ({
      group: group as keyof typeof groups,
      names: names.filter((one) => may(person, parts[one].role)),
    }))
    .filter(({ names }) => names.length > 0);
  const names = shown.flatMap((one) => one.names);
  const [first] = names;
  const name = part === undefined ? first : names.find((one) => one === part);
  const tabs = useRef<HTMLElement>(null);
  // Where there is no room for all of them, that of the open page is in sight.
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector(`[data-part="${name}"]`);
    if (!tabs.current || !current) return;
    const [around, own] = [tabs.current, current].map((node) => node.getBoundingClientRect());
    if (around && own) tabs.current.scrollLeft += middleOf(own) - middleOf(around);
  }, [name]);
  if (name === undefined) return <NotHere />;
  const { Part } = parts[name];
  return (
    <>
      <PageHead title={t('nav.settings')} />
      <div className="settings">
        <nav className="parts" ref={tabs} aria-label={t('nav.settings')}>
          {shown.map((one) => (
            <ul key={one.group} aria-labelledby={`group-${one.group}`}>
              <li id={`group-${one.group}`} className="group">
                {t(`settings.group.${one.group}`)}
              </li>
              {one.names.map((own) => (
                <li key={own}>
                  <Link
                    data-part={own}
                    href={own === first ? '/settings' : `/settings/${own}`}
                    aria-current={own === name ? 'page' : undefined}
                  >
                    {t(`settings.${own}`)}
                  </Link>
                </li>
              ))}
            </ul>
          ))}
        </nav>
        <div className="part">
          <Part />
        </div>
      </div>
    </>
  );
}

function middleOf({ left, width }: DOMRect): number {
  return left + width / 2;
}
