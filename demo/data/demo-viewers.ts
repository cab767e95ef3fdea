/** With what, from where and on which pages the invented viewers watch. */
import type { Draw } from './draw.ts';

type Weighted<Item> = readonly (readonly [Item, number])[];

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
/** In this order the releases of a browser come out over the year. */
const release = (first: number, year: number) => first + Math.floor(year * 8);

type AgentOf = (year: number) => string;
const agents: Weighted<AgentOf> = [
  [
    (year) =>
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/${release(132, year)}.0.0.0 ` +
      'Safari/537.36',
    26,
  ],
  [
    (year) =>
      `Mozilla/5.0 (Linux; Android ${year < 0.4 ? 14 : 15}; SM-S921N) ${webkit} ` +
      `Chrome/${release(132, year)}.0.0.0 Mobile Safari/537.36`,
    22,
  ],
  [
    (year) => {
      const version = year < 0.6 ? '18_3' : '18_6';
      return (
        `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 ` +
        `(KHTML, like Gecko) Version/${version.replace('_', '.')} Mobile/15E148 Safari/604.1`
      );
    },
    20,
  ],
  [
    () =>
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.3 Safari/605.1.15',
    9,
  ],
  [
    (year) =>
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/${release(132, year)}.0.0.0 ` +
      `Safari/537.36 Edg/${release(132, year)}.0.0.0`,
    8,
  ],
  [
    (year) =>
      `Mozilla/5.0 (X11; Linux x86_64; rv:${release(134, year)}.0) Gecko/20100101 ` +
      `Firefox/${release(134, year)}.0`,
    4,
  ],
  [
    () =>
      `Mozilla/5.0 (Linux; Android 14; SM-G991N) ${webkit} SamsungBrowser/26.0 ` +
      'Chrome/122.0.0.0 Mobile Safari/537.36',
    5,
  ],
  [() => `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${webkit} 108.0.5359.1/8.0 TV Safari/537.36`, 4],
  [
    () =>
      'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/17.6 Mobile/15E148 Safari/604.1',
    3,
  ],
];

/** Of well-known name servers: no viewer has one, and only the country is kept. */
const addresses: Weighted<string> = [
  ['168.126.63.1', 44],
  ['8.8.8.8', 15],
  ['133.242.0.3', 12],
  ['194.25.0.125', 8],
  ['212.27.40.240', 6],
  ['1.1.1.1', 4],
  ['200.160.0.8', 4],
  ['61.19.42.5', 3],
];
const referrers: Weighted<string | undefined> = [
  [undefined, 40],
  ['https://www.google.com/', 22],
  ['https://search.naver.com/', 16],
  ['https://news.example/', 7],
  ['https://www.youtube.com/', 6],
  ['https://t.co/', 4],
  ['https://forum.example/', 3],
];
const players: Weighted<string> = [
  ['hls.js/1.7.4', 5],
  ['video.js/8.24.1', 3],
  ['html5', 2],
];
const audiences: Weighted<string> = [
  ['visitors', 6],
  ['students', 3],
  ['members', 2],
];
const placements: Weighted<string> = [
  ['top of page', 5],
  ['in an article', 3],
  ['playlist', 2],
];
const namedShare = 0.45;
/** Who comes back comes often: a few of many. */
const namedViewers = 9_000;

/** The members of a beacon that describe the viewer, at a share of the year. */
export function drawViewer(draw: Draw, year: number): Record<string, unknown> {
  const referrer = draw.pick(referrers);
  const named = draw.next() < namedShare;
  const number = Math.floor(draw.next() ** 3 * namedViewers * (0.3 + 0.7 * year));
  return {
    userAgent: draw.pick(agents)(year),
    address: draw.pick(addresses),
    player: draw.pick(players),
    labels: { audience: draw.pick(audiences), placement: draw.pick(placements) },
    ...(referrer === undefined ? {} : { referrer }),
    ...(named ? { viewer: `demo-${number}` } : {}),
  };
}
