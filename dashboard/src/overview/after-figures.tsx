/** What is drawn and asked after the figures, which the reader sees first and waits for. */
import { type ReactNode, useDeferredValue } from 'react';
import { AddressContext, useAddress } from '../address.ts';
import { useFigures } from './use-figures.ts';

interface AfterFiguresProps {
  readonly accessKey?: string;
  readonly children: ReactNode;
}

export function AfterFigures({ accessKey, children }: AfterFiguresProps) {
  const address = useAddress();
  // A click is answered first: until then the children are those of the last address.
  const drawn = useDeferredValue(address);
  const { isPending } = useFigures(accessKey);
  if (isPending) return null;
  return <AddressContext value={drawn}>{children}</AddressContext>;
}
