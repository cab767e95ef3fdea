/** Viewers: who stands behind views, as far as an account lets that be known. */

/** How an account tells viewers apart; the first is the default. */
export const viewerModes = {
  anonymous:
    'a viewer whom the page or a signed token names is named, ' +
    'any other is anonymous and of one day',
  daily: 'names are ignored: all viewers are anonymous and of one day',
  named: 'only named viewers; nobody is told apart by address and User-Agent',
  none: 'no viewers: every view is a viewer of its own',
} as const;

export type ViewerMode = keyof typeof viewerModes;
export const viewerModeNames = Object.keys(viewerModes) as ViewerMode[];

const hourMs = 3_600_000;
/** How long after its day a salt is still used: for beacons that were kept while offline. */
export const saltUseMs = 46 * hourMs;
/** When it is destroyed: an hour later, because nodes' clocks differ. Promised are 48 hours. */
export const saltLifetimeMs = 47 * hourMs;
