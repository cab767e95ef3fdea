/** Zones to try: all of the runtime, and those of every day. */
export const allZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** One in four, and those whose clocks do what others do not. */
const someZones = new Set([
  ...['Pacific/Apia', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca'],
  ...['Europe/Dublin', 'America/New_York', 'America/St_Johns', 'Antarctica/Casey'],
  ...allZones.filter((_, index) => index % 4 === 0),
]);

export const zoneSets = [
  { which: 'some zones', zones: [...someZones], tags: [] },
  { which: 'all zones', zones: allZones, tags: ['long' as const] },
];
