/** The core of a sender, for players that are no media element of a page: docs/senders.md. */
export type { Beacon, Platform, StretchNumbers, ViewDescription } from './beacon.ts';
export type { Clock } from './clock.ts';
export type { Answer, Rejection, Transport } from './send.ts';
export { createSender, type Sender, type SenderOptions, type Store } from './sender.ts';
export { createTextStore, type TextStore } from './text-store.ts';
export { createView, type PlayerState, type View, type ViewOptions } from './view.ts';
