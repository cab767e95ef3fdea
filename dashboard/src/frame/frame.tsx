/** What stands around every page: the way to the others, and who is signed in. */
import type { ReactNode } from 'react';
import { useAddress } from '../address.ts';
import { type MessageName, useReader } from '../language.tsx';
import { signOut } from '../session.ts';
import { Brand } from './brand.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Link } from './link.tsx';
import { usePerson } from './person.tsx';
import { LanguageChoice, ThemeChoice } from './preferences.tsx';

interface FrameProps {
  readonly children: ReactNode;
  readonly onSignOut: () => void;
}

interface Place {
  readonly href: string;
  readonly name: MessageName;
  readonly icon: IconName;
  readonly scope?: string;
}

const places: readonly Place[] = [
  { href: '/', name: 'nav.overview', icon: 'overview' },
  { href: '/now', name: 'nav.now', icon: 'now' },
  { href: '/library', name: 'nav.library', icon: 'library', scope: 'manage' },
  { href: '/settings', name: 'nav.settings', icon: 'settings', scope: 'manage' },
];

export function Frame({ children, onSignOut }: FrameProps) {
  const { t } = useReader();
  const { name, scopes } = usePerson();
  const leave = async () => {
    await signOut();
    onSignOut();
  };
  return (
    <>
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <div className="side">
        <header className="side-head">
          <Brand />
          <span className="account">{name}</span>
        </header>
        <nav aria-label={t('nav.pages')}>
          {places
            .filter(({ scope }) => scope === undefined || scopes.includes(scope))
            .map((place) => (
              <PlaceLink key={place.href} {...place} />
            ))}
        </nav>
        <footer>
          <a href="/docs">
            <Icon name="docs" /> {t('nav.docs')}
          </a>
          <a href="/watch">
            <Icon name="watch" /> {t('nav.watch')}
          </a>
          <button type="button" className="plain" onClick={() => void leave()}>
            <Icon name="leave" /> {t('nav.signOut')}
          </button>
          <div className="preferences">
            <LanguageChoice />
            <ThemeChoice />
          </div>
        </footer>
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function PlaceLink({ href, name, icon }: Place) {
  const { t } = useReader();
  const { path } = useAddress();
  const isVideo = href === '/library' && path.startsWith('/videos/');
  const isHere = path === href || (href !== '/' && path.startsWith(`${href}/`)) || isVideo;
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} /> {t(name)}
    </Link>
  );
}
