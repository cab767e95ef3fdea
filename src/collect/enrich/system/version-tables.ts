/**
 * What one number means in terms of another: the tables that makers publish. A number that stands
 * in none of them gives undefined, which becomes `Unknown`; nothing here is extrapolated.
 */
type Table = Readonly<Record<string, string>>;

/** Android API level -> Android version. Below 21 a bare level could be taken for a version. */
const androidOfApiLevel: Table = {
  ...{ 21: '5', 22: '5.1', 23: '6', 24: '7', 25: '7.1', 26: '8', 27: '8.1', 28: '9', 29: '10' },
  ...{ 30: '11', 31: '12', 32: '12', 33: '13', 34: '14', 35: '15', 36: '16', 37: '17' },
};

/** The levels below 21, for `Android API 19`. */
const androidOfOldApiLevel: Table = {
  ...{ 14: '4', 15: '4.0.3', 16: '4.1', 17: '4.2', 18: '4.3', 19: '4.4', 20: '4.4' },
};

/** Some apps and importers give the API level where others give the version. */
export function androidOfLevelOrVersion(text: string): string {
  const [, level = ''] = /^(\d\d)(?:\.0)*$/.exec(text) ?? [];
  return androidOfApiLevel[level] ?? text;
}

export function androidOfLevel(level: string): string | undefined {
  return androidOfApiLevel[level] ?? androidOfOldApiLevel[level];
}

/**
 * Android version -> the Fire OS that is built on it:
 * https://developer.amazon.com/docs/device-specs/identify-fire-tv-devices.html
 */
const fireOsOfAndroid: Table = {
  ...{ '4.0': '2', '4.2': '3', '4.4': '4', '5.1': '5', '7.1': '6' },
  ...{ 9: '7', 10: '8', 11: '8', 12: '14', 13: '14', 14: '14' },
};

export function fireOsBuiltOn(android: string | undefined): string | undefined {
  const [major = '', minor = '0'] = android?.split('.') ?? [];
  return fireOsOfAndroid[`${major}.${minor}`] ?? fireOsOfAndroid[major];
}

/**
 * Engine of an LG television's browser -> webOS TV:
 * https://webostv.developer.lge.com/develop/specifications/web-api-and-web-engine
 */
export const webosOfEngine: Table = {
  ...{ 'AppleWebKit/537.41': '1', 'AppleWebKit/538.2': '2', 'Chrome/38': '3', 'Chrome/53': '4' },
  ...{ 'Chrome/68': '5', 'Chrome/79': '6', 'Chrome/87': '22', 'Chrome/94': '23' },
  ...{ 'Chrome/108': '24', 'Chrome/120': '25', 'Chrome/132': '26' },
};

/** Year of an LG television -> webOS TV. */
export const webosOfYear: Table = {
  ...{ 2014: '1', 2015: '2', 2016: '3', 2017: '3.5', 2018: '4', 2019: '4.5', 2020: '5' },
  ...{ 2021: '6', 2022: '22', 2023: '23', 2024: '24', 2025: '25', 2026: '26' },
};

/** Gecko version -> Firefox OS, which never named itself in its User-Agent. */
export const firefoxOsOfGecko: Table = {
  ...{ '18.0': '1.0.1', 18.1: '1.1', '26.0': '1.2', '28.0': '1.3', '30.0': '1.4' },
  ...{ '32.0': '2', '34.0': '2.1', '37.0': '2.2', '44.0': '2.5' },
};

/**
 * Apple's kernel and network stack -> the system they shipped with. Published by Apple with each
 * release of Darwin, and gathered at https://en.wikipedia.org/wiki/Darwin_(operating_system) and
 * https://theapplewiki.com/wiki/Kernel.
 */
type Releases = Readonly<Record<string, string>>;

/** `release.minor` by `major.minor` of Darwin; the key `major` alone holds for any other minor. */
function series(
  major: number,
  release: string,
  minors: Readonly<Record<number, number | string>>,
): Releases {
  const releases: Record<string, string> = { [major]: release };
  for (const [minor, of] of Object.entries(minors))
    releases[`${major}.${minor}`] = `${release}.${of}`;
  return releases;
}

/** Where the minors of the system are those of its kernel. */
function sameMinors(major: number, release: string, last: number): Releases {
  const minors: Record<number, number> = {};
  for (let minor = 1; minor <= last; minor += 1) minors[minor] = minor;
  return series(major, release, minors);
}

/** Darwin 10, 11 and 14 were the kernel of two iOS each: there the network stack says which. */
const iosOfDarwin: Releases = {
  ...{ 9: '2', 13: '6' },
  ...series(15, '9', { 4: 3, 5: '3.2', 6: '3.3' }),
  ...series(16, '10', { 1: 1, 3: 2, 5: 3, 6: '3.2', 7: '3.3' }),
  ...series(17, '11', { 2: 1, 3: 2, 4: 2, 5: 3, 6: 4, 7: '4.1' }),
  ...series(18, '12', { 2: 1, 5: 2, 6: 3, 7: 4 }),
  ...series(19, '13', { 2: 3, 3: '3.1', 4: 4, 5: 5, 6: 6 }),
  ...series(20, '14', { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7 }),
  ...sameMinors(21, '15', 6),
  ...sameMinors(22, '16', 6),
  ...sameMinors(23, '17', 6),
  ...sameMinors(24, '18', 6),
  ...sameMinors(25, '26', 6),
  ...sameMinors(26, '27', 6),
};

/** CFNetwork -> iOS, where Darwin alone is ambiguous. */
const iosOfNetworkStack: Releases = {
  ...{ 459: '3.1', '467.12': '3.2', '485.2': '4', '485.10': '4.1', '485.12': '4.2' },
  ...{
    '485.13': '4.3',
    '548.0': '5',
    '548.1': '5.1',
    '609.1': '6.1',
    '672.0': '7',
    '672.1': '7.1',
  },
  ...{ '711.0': '8', '711.1': '8.1', '711.2': '8.2', '711.3': '8.3', '711.4': '8.4' },
  ...{ '711.5': '8.4.1', '758.1': '9.1', '758.2': '9.2' },
};

const macosOfDarwin: Releases = {
  ...sameMinors(8, '10.4', 11),
  ...sameMinors(9, '10.5', 8),
  ...sameMinors(10, '10.6', 8),
  ...series(11, '10.7', { 1: 1, 2: 2, 3: 3, 4: 4 }),
  ...series(12, '10.8', { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5 }),
  ...series(13, '10.9', { 1: 2, 2: 3, 3: 4, 4: 5 }),
  ...series(14, '10.10', { 1: 2, 3: 3, 4: 4, 5: 5 }),
  ...series(15, '10.11', { 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 }),
  ...series(16, '10.12', { 1: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6 }),
  ...series(17, '10.13', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6 }),
  ...series(18, '10.14', { 2: 1, 5: 4, 6: 5, 7: 6 }),
  ...series(19, '10.15', { 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 }),
  ...series(20, '11', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...series(21, '12', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...series(22, '13', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...sameMinors(23, '14', 6),
  ...sameMinors(24, '15', 6),
  ...sameMinors(25, '26', 6),
  ...sameMinors(26, '27', 6),
};

/** iOS by the two numbers that an app's network stack adds to its name, each `major.minor`. */
export function iosOfApp(networkStack: string, darwin: string): string | undefined {
  return iosOfNetworkStack[networkStack] ?? find(iosOfDarwin, darwin);
}

export function findMacos(darwin: string): string | undefined {
  return find(macosOfDarwin, darwin);
}

function find(releases: Releases, version: string): string | undefined {
  const [major = ''] = version.split('.');
  return releases[version] ?? releases[major];
}
