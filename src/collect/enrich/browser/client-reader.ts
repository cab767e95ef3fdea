import UAParser from 'ua-parser-js';
import type { OperatingSystemName } from '../system/operating-system-names.ts';
import { type Client, createUserAgentRecall, userAgentLimitChars } from '../user-agent-memory.ts';
import { type BrowserName, browserOfLibrary, hasMajor } from './browser-names.ts';
import { readDeviceKind } from './device-kind.ts';

/** Reads the browser and the kind of device; never throws, whatever a stranger sends. */
export type ClientReader = (userAgent: string | undefined, system: OperatingSystemName) => Client;

export function createClientReader(recall = createUserAgentRecall()): ClientReader {
  return (userAgent = '', system) => {
    const { clients } = recall(userAgent);
    const known = clients.get(system);
    if (known !== undefined) return known;
    const client = read(userAgent.slice(0, userAgentLimitChars), system);
    clients.set(system, client);
    return client;
  };
}

function read(userAgent: string, system: OperatingSystemName): Client {
  const { name: browser, version: browserVersion } = readBrowser(userAgent, system);
  return Object.freeze({ device: readDeviceKind(userAgent, system), browser, browserVersion });
}

/** Each is empty where the User-Agent does not say. */
interface Browser {
  readonly name: BrowserName | '';
  readonly version: string;
}

const unknownBrowser: Browser = { name: '', version: '' };

/** What the library does not know, or takes for another browser; with the major version. */
const rules: readonly (readonly [BrowserName, RegExp])[] = [
  // The app writes `Whale/` and `KAKAOTALK` beside the name of the browser that it is built on.
  ['NAVER', /\bNAVER\(inapp;[^()]{0,60}?; ?(\d{1,3})\.\d/],
  ['KakaoTalk', /\bKAKAOTALK[ /](\d+)/],
  ['Daum', /\bDaum(?:App|Device)s?[ /](\d+)/i],
  ['LINE', /\bLine\/(\d+)/],
  ['Brave', /\bBrave(?: Chrome)?\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
];

/** Other systems' own browsers have borrowed Safari's name and a version of their own. */
const systemsOfSafari = new Set<OperatingSystemName>([
  'iOS',
  'iPadOS',
  'macOS',
  'visionOS',
  'Windows',
]);

/** The major version, and the minor if there is one. */
const versionForm = /^([1-9]\d{0,2})(?!\d)(?:[._](\d|[1-9]\d)(?!\d))?/;

/** The browser by the User-Agent, of a device with this system. */
export function readBrowser(userAgent: string, system: OperatingSystemName): Browser {
  // Televisions write 0 for o where they fear to be taken for a telephone or a computer.
  const text = userAgent.replaceAll('Chr0me', 'Chrome');
  for (const [name, pattern] of rules) {
    const match = pattern.exec(text);
    if (match) return { name, version: writeBrowserVersion(name, match[1]) };
  }
  // TRICKY: the library's own rule for it takes 5 ms for 512 characters that a stranger made up.
  const bare = text.replace(/naver\(/gi, 'naver ');
  const { name: found = '', version } = new UAParser(bare).getBrowser();
  const name = findName(found, system);
  return name === undefined
    ? unknownBrowser
    : { name, version: writeBrowserVersion(name, version) };
}

function findName(found: string, system: OperatingSystemName): BrowserName | undefined {
  if (found === 'WebKit') {
    return system === 'iOS' || system === 'iPadOS' ? 'iOS WebView' : undefined;
  }
  const name = browserOfLibrary(found);
  return name === 'Safari' && !systemsOfSafari.has(system) ? undefined : name;
}

/**
 * A version as people write it: the major alone, as the minors of nearly all browsers are 0; of
 * Safari, which has a release of its own every few months, the minor too, unless it is 0.
 */
function writeBrowserVersion(name: BrowserName, text = ''): string {
  const form = versionForm.exec(text);
  if (form === null) return '';
  const [, major = '', minor = '0'] = form;
  if (name === 'Safari' && major === '19') return writeBrowserVersion(name, `26.${minor}`);
  if (!hasMajor(name, Number(major))) return '';
  return name === 'Safari' && minor !== '0' ? `${major}.${minor}` : major;
}
