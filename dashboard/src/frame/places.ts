import type { SignedIn } from '../../../client/src/index.ts';
import type { Messages } from '../messages/messages.ts';
import type { IconName } from './icon-paths.ts';

export interface Place {
  readonly href: string;
  readonly name: keyof Messages;
  readonly icon: IconName;
  /** What the key must allow. */
  readonly scope?: SignedIn['scopes'][number];
}

/** The pages of the dashboard about an account, as the frame around each of them lists them. */
export const places: readonly Place[] = [
  { href: '/', name: 'nav.overview', icon: 'overview' },
  { href: '/now', name: 'nav.now', icon: 'now' },
  { href: '/quality', name: 'nav.quality', icon: 'quality' },
  { href: '/library', name: 'nav.library', icon: 'library', scope: 'manage' },
  { href: '/settings', name: 'nav.settings', icon: 'settings', scope: 'manage' },
];

/** Of no account. */
const ofService: Place = { href: '/service', name: 'nav.service', icon: 'service' };

/** What whoever is signed in may open. */
export function placesOf({ accountId, scopes, person }: SignedIn): readonly Place[] {
  const ofAccount = places.filter(({ scope }) => scope === undefined || scopes.includes(scope));
  return [
    ...(accountId === 0 ? [] : ofAccount),
    ...(person?.isOperator === true ? [ofService] : []),
  ];
}

/** Pages that are not of the dashboard's app, and have the same frame. */
export const otherPlaces = [
  { href: '/docs', name: 'nav.docs', icon: 'docs' },
  { href: '/watch', name: 'nav.watch', icon: 'watch' },
] as const satisfies readonly Place[];
