/** What stands around every page: the way to the others, and who is signed in. */
import type { ReactNode } from 'react';
import { useAddress } from '../address.ts';
import { useReader } from '../language.tsx';
import { signOut } from '../session.ts';
import { Brand } from './brand.tsx';
import { Icon } from './icons.tsx';
import { Link } from './link.tsx';
import { usePerson } from './person.tsx';
import { otherPlaces, type Place, places } from './places.ts';
import { LanguageChoice, ThemeChoice } from './preferences.tsx';

interface FrameProps {
  readonly children: ReactNode;
  readonly onSignOut: () => void;
}

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
        <nav className="places" aria-label={t('nav.pages')}>
          {places
            .filter(({ scope }) => scope === undefined || scopes.includes(scope))
            .map((place) => (
              <PlaceLink key={place.href} {...place} />
            ))}
        </nav>
        <footer>
          {otherPlaces.map(({ href, name, icon }) => (
            <a key={href} href={href}>
              <Icon name={icon} /> {t(name)}
            </a>
          ))}
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
