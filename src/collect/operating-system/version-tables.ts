/**
 * What one number means in terms of another: the tables that makers publish. A number that stands
 * in none of them gives undefined, which becomes `Unknown`; nothing here is extrapolated.
 */
type Table = Readonly<Record<string, string>>;

/** Darwin kernel major -> iOS. 14 is missing: both iOS 7 and iOS 8 had it. */
export const iosOfDarwin: Table = {
  ...{ 10: '4', 11: '5', 13: '6', 15: '9', 16: '10', 17: '11', 18: '12', 19: '13', 20: '14' },
  ...{ 21: '15', 22: '16', 23: '17', 24: '18', 25: '26' },
};

/** Darwin kernel major -> macOS. */
export const macosOfDarwin: Table = {
  ...{ 8: '10.4', 9: '10.5', 10: '10.6', 11: '10.7', 12: '10.8', 13: '10.9', 14: '10.10' },
  ...{ 15: '10.11', 16: '10.12', 17: '10.13', 18: '10.14', 19: '10.15', 20: '11', 21: '12' },
  ...{ 22: '13', 23: '14', 24: '15', 25: '26' },
};

/** Android API level -> Android version. Below 21 a level cannot be told from a version. */
export const androidOfApiLevel: Table = {
  ...{ 21: '5', 22: '5.1', 23: '6', 24: '7', 25: '7.1', 26: '8', 27: '8.1', 28: '9', 29: '10' },
  ...{ 30: '11', 31: '12', 32: '12.1', 33: '13', 34: '14', 35: '15', 36: '16' },
};

/** Android version that a Fire tablet or Fire TV reports -> Fire OS. */
export const fireOsOfAndroid: Table = {
  ...{ '4.0.3': '2', '4.2.2': '3', '4.4.2': '4', '4.4.3': '4', '4.4.4': '4', '5.1.1': '5' },
  ...{ '5.1': '5', '7.1.2': '6', '7.1': '6', 9: '7', 11: '8', 14: '14' },
};

/** Chrome major of an LG television's browser -> webOS TV. */
export const webosOfChrome: Table = {
  ...{ 38: '3', 53: '4', 68: '5', 79: '6', 87: '22', 94: '23', 108: '24', 120: '25' },
};

/** Gecko version -> Firefox OS, which never named itself in its User-Agent. */
export const firefoxOsOfGecko: Table = {
  ...{ '18.0': '1.0.1', 18.1: '1.1', '26.0': '1.2', '28.0': '1.3', '30.0': '1.4' },
  ...{ '32.0': '2', '34.0': '2.1', '37.0': '2.2', '44.0': '2.5' },
};
