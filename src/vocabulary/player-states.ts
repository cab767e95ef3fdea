/**
 * What a player was doing, each with its number in the store. `started`: playback has begun, but
 * whether it goes on is not reported. `untimed`: the event was sent, but its moment is that of
 * something else. `counted`: not from a player; the view's one play is counted at this moment.
 * `starting`: asked to play, nothing was played yet. `waiting`: for whatever it waited before.
 */
export const playerStates = {
  resting: 0,
  playing: 1,
  started: 2,
  untimed: 3,
  counted: 4,
  starting: 5,
  seeking: 6,
  stalled: 7,
  waiting: 8,
  failed: 9,
  quit: 10,
} as const;
export type PlayerState = keyof typeof playerStates;
