import { type ReactNode, useDeferredValue } from 'react';
import { AddressContext, useAddress } from '../address.ts';

/** Drawn apart from a click that changes the address: what was clicked answers first. */
export function DrawnLater({ children }: { readonly children: ReactNode }) {
  const drawn = useDeferredValue(useAddress());
  return <AddressContext value={drawn}>{children}</AddressContext>;
}
