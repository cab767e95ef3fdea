/**
 * Every browser that the statistics can name, apps that show pages themselves among them. The list
 * is closed: a stranger's User-Agent can select one of these rows, but never add one.
 */

/** First and last major version, both included, with room for the releases of the next years. */
type Majors = readonly [first: number, last: number];

/** Browsers whose numbers are those of Chromium or Gecko. */
const ofEngine: Majors = [1, 250];
/** Apps release every week. */
const ofApp: Majors = [1, 999];

const releasedMajors = {
  '360 Browser': ofEngine,
  'Android Browser': [1, 4],
  'Android WebView': ofEngine,
  Baidu: ofApp,
  Brave: ofEngine,
  Chrome: ofEngine,
  Chromium: ofEngine,
  'Coc Coc': ofEngine,
  Daum: ofApp,
  DuckDuckGo: ofEngine,
  Edge: ofEngine,
  Electron: ofEngine,
  Facebook: ofApp,
  Falkon: [1, 40],
  Firefox: ofEngine,
  'Firefox Focus': ofEngine,
  'Google App': ofApp,
  'HeyTap Browser': ofEngine,
  'Huawei Browser': [1, 60],
  Instagram: ofApp,
  'Internet Explorer': [1, 11],
  'iOS WebView': [1, 0],
  KakaoTalk: [1, 99],
  Konqueror: [1, 40],
  LibreWolf: ofEngine,
  LINE: [1, 99],
  LinkedIn: ofApp,
  Maxthon: [1, 20],
  'MIUI Browser': [1, 60],
  NAVER: [1, 99],
  'Oculus Browser': ofEngine,
  Opera: ofEngine,
  'Opera GX': ofEngine,
  'Opera Mini': ofEngine,
  'Opera Touch': [1, 20],
  'Pale Moon': [1, 99],
  'Pico Browser': ofEngine,
  Puffin: [1, 40],
  'QQ Browser': [1, 60],
  Quark: [1, 60],
  Safari: [1, 30],
  'Samsung Internet': [1, 99],
  SeaMonkey: [1, 10],
  Silk: ofEngine,
  Snapchat: ofApp,
  'Sogou Browser': [1, 60],
  TikTok: ofApp,
  'UC Browser': [1, 60],
  Vivaldi: [1, 60],
  'Vivo Browser': [1, 99],
  Waterfox: [1, 250],
  WeChat: [1, 60],
  Weibo: [1, 60],
  Whale: [1, 60],
  X: [1, 99],
  'Yandex Browser': [1, 99],
} as const satisfies Record<string, Majors>;

export type BrowserName = keyof typeof releasedMajors;

export const browserNames = Object.keys(releasedMajors) as BrowserName[];

/** The library's spellings in lower case, where they differ from ours. */
const spellings: Readonly<Record<string, BrowserName>> = {
  360: '360 Browser',
  'chrome webview': 'Android WebView',
  fennec: 'Firefox',
  firebird: 'Firefox',
  gsa: 'Google App',
  heytap: 'HeyTap Browser',
  iceweasel: 'Firefox',
  ie: 'Internet Explorer',
  iemobile: 'Internet Explorer',
  klar: 'Firefox Focus',
  'mobile safari': 'Safari',
  'opera mobi': 'Opera',
  'opera tablet': 'Opera',
  palemoon: 'Pale Moon',
  qqbrowser: 'QQ Browser',
  qqbrowserlite: 'QQ Browser',
  'sogou explorer': 'Sogou Browser',
  'sogou mobile': 'Sogou Browser',
  twitter: 'X',
  ucbrowser: 'UC Browser',
  yandex: 'Yandex Browser',
};

const namesOfLibrary = new Map<string, BrowserName>(Object.entries(spellings));
for (const name of browserNames) namesOfLibrary.set(name.toLowerCase(), name);

/** Our name for a browser as the library calls it; undefined if it is not on the list. */
export function browserOfLibrary(name: string): BrowserName | undefined {
  return namesOfLibrary.get(name.toLowerCase());
}

/** Apple's numbers are its systems' since Safari 15: the next after 18 was 26. */
const neverReleased: Partial<Record<BrowserName, Majors>> = { Safari: [19, 25] };

/** Whether the browser has, or may soon have, a release of this major version. */
export function hasMajor(name: BrowserName, major: number): boolean {
  const [first, last] = releasedMajors[name];
  const never = neverReleased[name];
  if (never !== undefined && major >= never[0] && major <= never[1]) return false;
  return major >= first && major <= last;
}
