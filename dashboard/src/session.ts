/** Who is signed in. The key is exchanged for a cookie that no script reads, and is never kept. */
import { PlaymeterError, type SharedView, type SignedIn } from '../../client/src/index.ts';
import { signingIn } from './server.ts';

export interface Person extends SignedIn {
  /** What there is to see, if this is whoever has the link of a share. */
  readonly shared?: SharedView;
}

export async function whoIsSignedIn(): Promise<Person | null> {
  try {
    return (await signingIn().dashboard.signedIn()) ?? null;
  } catch (error) {
    if (error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED') return null;
    throw error;
  }
}

export function signInWithKey(key: string): Promise<Person> {
  return signingIn(key).dashboard.signIn();
}

export function signInWithLink(link: string): Promise<Person> {
  return signingIn().dashboard.signIn({ link });
}

export function signOut(): Promise<void> {
  return signingIn().dashboard.signOut();
}

/** The link of a first start. It is taken out of the URL before anybody can copy it. */
export function takeLink(): string | undefined {
  const link = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
}
