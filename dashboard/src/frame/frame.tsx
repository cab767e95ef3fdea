/** What stands around every page: the way to the others, and who is signed in. */
import type { ReactNode } from 'react';
import { useReader } from '../language.tsx';
import { PageUrlContext, useLocation, useScroll, useShownUrl } from '../page-url.ts';
import { AccountSwitch } from './account-switch.tsx';
import { Brand } from './brand.tsx';
import { Icon } from './icons.tsx';
import { Link } from './link.tsx';
import { usePerson } from './person.tsx';
import { otherPlaces, type Place, placesOf } from './places.ts';
import { Preferences } from './preferences.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { StaleNote } from './stale-note.tsx';

interface FrameProps {
  readonly children: ReactNode;
  readonly onSignOut: () => void;
}

export function Frame({ children, onSignOut }: FrameProps) {
  const { t } = useReader();
  const signedIn = usePerson();
  const { name, person, packageIds, accounts = [] } = signedIn;
  const url = useLocation();
  const shown = useShownUrl(url);
  useScroll(shown);
  return (
    <>
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <div className="side">
        <header className="side-head">
          <Brand />
          {accounts.length > 1 ? (
            <AccountSwitch />
          ) : (
            <span className="account" title={name}>
              {name}
            </span>
          )}
        </header>
        {packageIds && <p className="narrowed quiet">{t('accounts.narrowed')}</p>}
        <nav className="places" aria-label={t('nav.pages')}>
          {placesOf(signedIn).map((place) => (
            <PlaceLink key={place.href} place={place} path={url.path} />
          ))}
        </nav>
        <footer>
          {otherPlaces.map(({ href, name, icon }) => (
            <a key={href} href={href}>
              <Icon name={icon} /> {t(name)}
            </a>
          ))}
          {person && (
            <Link href="/me" aria-current={url.path === '/me' ? 'page' : undefined}>
              <Icon name="person" />
              <span className="cut" title={person.name}>
                {person.name}
              </span>
            </Link>
          )}
          <SignOutButton onSignOut={onSignOut} />
          <Preferences />
        </footer>
      </div>
      <main id="main" tabIndex={-1} aria-busy={shown !== url || undefined}>
        <StaleNote />
        <PageUrlContext value={shown}>{children}</PageUrlContext>
      </main>
    </>
  );
}

interface PlaceLinkProps {
  readonly place: Place;
  /** Of the page that the reader wants. */
  readonly path: string;
}

function PlaceLink({ place: { href, name, icon }, path }: PlaceLinkProps) {
  const { t } = useReader();
  const isVideo = href === '/library' && path.startsWith('/videos/');
  const isHere = path === href || (href !== '/' && path.startsWith(`${href}/`)) || isVideo;
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} /> {t(name)}
    </Link>
  );
}
