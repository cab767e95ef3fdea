/** On what measures of viewers rest, where an answer is no JSON. */
import type { ViewerBasis } from './audience-messages.ts';

/** For people. */
export function describeBasis({ named, daily, none }: ViewerBasis): string {
  return (
    `Viewers rest on ${named} views of a viewer that the page named, ${daily} of an anonymous ` +
    `one of the day, ${none} without a viewer`
  );
}

/** A dictionary of RFC 9651. */
export function basisHeader({ named, daily, none }: ViewerBasis): string {
  return `named=${named}, daily=${daily}, none=${none}`;
}
