import { type ReactNode, useDeferredValue } from 'react';
import { AddressContext, useAddress } from '../address.ts';

/**
 * Drawn apart from a click that changes the address: what was clicked answers first. The children
 * are those of the address that is drawn, or they would be drawn with the click as well.
 */
export function DrawnLater({ children }: { readonly children: ReactNode }) {
  const address = useDeferredValue(useAddress());
  const drawn = useDeferredValue(children);
  return <AddressContext value={address}>{drawn}</AddressContext>;
}
