import type { OpenedLink, Person } from '../session.ts';

export interface LinkPageProps {
  readonly link: OpenedLink;
  /** Null: nobody is signed in. */
  readonly person: Person | null;
  /** Somebody is signed in now, or somebody else. */
  readonly onSignIn: () => unknown;
  readonly onLeave: () => void;
}
