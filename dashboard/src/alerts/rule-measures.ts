/** In which unit a form of alerts asks for a limit. */
import type { MessageName } from '../language.tsx';
import type { Unit } from '../measures.ts';

/** Nobody thinks of a limit in milliseconds, or of a share from 0 to 1. */
export const askedIn: Readonly<
  Record<Unit, { readonly size: number; readonly name?: MessageName }>
> = {
  count: { size: 1 },
  duration: { size: 60_000, name: 'alerts.unit.minutes' },
  wait: { size: 1_000, name: 'alerts.unit.seconds' },
  share: { size: 0.01, name: 'alerts.unit.percent' },
  rate: { size: 1, name: 'alerts.unit.rate' },
  bitrate: { size: 1, name: 'alerts.unit.bitrate' },
};
