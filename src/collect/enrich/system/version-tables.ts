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
