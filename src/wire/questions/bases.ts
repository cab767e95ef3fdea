/** On what measures of viewers and of quality rest, where an answer is no JSON. */
import type { QualityBasis, ViewerBasis } from './audience-messages.ts';

/** For people. */
export function describeBasis({ named, daily, none }: ViewerBasis): string {
  const [ofNamed, ofDaily, ofNone] = [named, daily, none].map((views) =>
    views.toLocaleString('en'),
  );
  return (
    `Views by how their viewer is known: ${ofNamed} by a name from the page, ` +
    `${ofDaily} as an anonymous viewer of the day, ${ofNone} not at all`
  );
}

/** A dictionary of RFC 9651. */
export function basisHeader({ named, daily, none }: ViewerBasis): string {
  return `named=${named}, daily=${daily}, none=${none}`;
}

/** For people. */
export function describeQualityBasis({ attempts, views }: QualityBasis): string {
  return `Quality rests on ${attempts} attempts that were reported, beside ${views} views in the range`;
}

/** A dictionary of RFC 9651. */
export function qualityBasisHeader({ attempts, views }: QualityBasis): string {
  return `attempts=${attempts}, views=${views}`;
}
