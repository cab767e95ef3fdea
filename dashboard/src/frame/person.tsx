import { createContext, type ReactNode, useContext } from 'react';
import type { Person } from '../session.ts';

const PersonContext = createContext<Person | undefined>(undefined);

export function PersonProvider(props: { readonly person: Person; readonly children: ReactNode }) {
  return <PersonContext value={props.person}>{props.children}</PersonContext>;
}

/** Whoever is signed in. */
export function usePerson(): Person {
  const person = useContext(PersonContext);
  if (person === undefined) throw new Error('Nobody is signed in here');
  return person;
}
