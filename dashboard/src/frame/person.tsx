import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { may, type Role } from '../roles.ts';
import type { Person } from '../session.ts';
import { useToday } from '../use-today.ts';

interface SignedIn extends Person {
  /** The day in the time zone of the account. */
  readonly today: string;
}

const PersonContext = createContext<SignedIn | undefined>(undefined);

interface PersonProviderProps {
  readonly person: Person;
  readonly children: ReactNode;
}

export function PersonProvider({ person, children }: PersonProviderProps) {
  const today = useToday(person.timeZone);
  const signedIn = useMemo(() => ({ ...person, today }), [person, today]);
  return <PersonContext value={signedIn}>{children}</PersonContext>;
}

/** Whoever is signed in. */
export function usePerson(): SignedIn {
  const person = useContext(PersonContext);
  if (person === undefined) throw new Error('Nobody is signed in here');
  return person;
}

/** Whether whoever is signed in may do what takes this role. */
export function useMay(least: Role): boolean {
  return may(usePerson(), least);
}
