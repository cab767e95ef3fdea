import UAParser from 'ua-parser-js';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import { rememberLast } from '../../../lib/values/memo.ts';
import type { Step } from '../../draft.ts';
import { createUserAgentRecall, userAgentLimitChars } from '../user-agent-memory.ts';
import {
  belongsTo,
  isBroadest,
  type OperatingSystem,
  type OperatingSystemName,
  operatingSystemNames,
} from './operating-system-names.ts';
import { safariVersion, userAgentRules } from './user-agent-rules.ts';
import { unknown, writeVersion } from './version-form.ts';
import { androidOfLevelOrVersion, fireOsBuiltOn } from './version-tables.ts';

/**
 * What a sender reports about its system. `platform` and `platformVersion` are the values of
 * `Sec-CH-UA-Platform` and `Sec-CH-UA-Platform-Version`, with or without their quotes.
 */
export interface OperatingSystemEvidence {
  readonly userAgent?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
}

export type OperatingSystemReader = (evidence: OperatingSystemEvidence) => OperatingSystem;

const hintLimitChars = 64;
const rememberedLimitEntries = 4096;

/**
 * Reads the operating system of a beacon; never throws, whatever a stranger sends. An iPad that
 * asks for desktop pages has the User-Agent of a Mac, and counts as one unless `platform` says
 * `iPadOS`. The most recent answers are remembered.
 */
export function createOperatingSystemReader(
  recall = createUserAgentRecall(),
): OperatingSystemReader {
  const hinted = createLruCache<string, OperatingSystem>(rememberedLimitEntries);
  return rememberLast((evidence) => {
    const userAgent = asText(evidence.userAgent, userAgentLimitChars);
    const platform = asText(evidence.platform, hintLimitChars);
    const platformVersion = asText(evidence.platformVersion, hintLimitChars);
    if (platform === '' && platformVersion === '') {
      const memory = recall(asText(evidence.userAgent));
      memory.operatingSystem ??= Object.freeze(weigh(userAgent, '', ''));
      return memory.operatingSystem;
    }
    // With lengths: whoever may make up texts must not be able to make up the key of others.
    const lengths = `${platform.length} ${platformVersion.length} `;
    const key = lengths + platform + platformVersion + userAgent;
    const known = hinted.get(key);
    if (known !== undefined) return known;
    const answer = Object.freeze(weigh(userAgent, platform, platformVersion));
    // TRICKY: a slice keeps the whole text alive, so that 4096 keys could hold a body each.
    if (userAgent === (evidence.userAgent ?? '')) hinted.set(key, answer);
    return answer;
  });
}

/** The hints win; the User-Agent adds to them where it agrees. */
function weigh(userAgent: string, platform: string, platformVersion: string): OperatingSystem {
  const read = readUserAgent(userAgent);
  const hinted = readPlatform(platform);
  if (hinted === undefined && !isBroadest(read.name)) return read;
  const kind = hinted === undefined || belongsTo(read.name, hinted);
  const name = kind ? read.name : hinted;
  const version = readPlatformVersion(name, hinted ?? name, platformVersion);
  if (version !== unknown) return { name, version, rank: 3 };
  if (name === read.name) return hinted === undefined ? read : { ...read, rank: 2 };
  // The desktop page of an iPad: the system is a Mac's, but Safari's version is the iPad's.
  return {
    name,
    rank: 2,
    version: name === 'iPadOS' ? writeVersion(name, safariVersion(userAgent)) : unknown,
  };
}

function asText(value: unknown, limitChars?: number): string {
  return typeof value === 'string' ? value.slice(0, limitChars) : '';
}

/** Other spellings that User-Agent Client Hints and navigator.platform have for our names. */
const spellings: Readonly<Record<string, OperatingSystemName>> = {
  'chrome os': 'ChromeOS',
  'chromium os': 'ChromeOS',
  ipad: 'iPadOS',
  iphone: 'iOS',
  'linux x86_64': 'Linux',
  'mac os': 'macOS',
  'mac os x': 'macOS',
  macintel: 'macOS',
  'roku os': 'Roku',
  win32: 'Windows',
};

const namesByHint = new Map<string, OperatingSystemName>(Object.entries(spellings));
for (const name of operatingSystemNames) namesByHint.set(name.toLowerCase(), name);
namesByHint.delete('unknown');

/** The system that `Sec-CH-UA-Platform` names; undefined if it names none that we know. */
function readPlatform(hint: string): OperatingSystemName | undefined {
  return namesByHint.get(unquote(hint).toLowerCase());
}

/** The version of `name` by `Sec-CH-UA-Platform-Version`, which counts that of `platform`. */
function readPlatformVersion(
  name: OperatingSystemName,
  platform: OperatingSystemName,
  hint: string,
): string {
  const text = unquote(hint);
  if (name !== platform) return versionWithin(name, writeVersion(platform, text));
  if (name === 'Windows') return windowsOfContract(text);
  return writeVersion(name, name === 'Android' ? androidOfLevelOrVersion(text) : text);
}

/** The version of a system by that of the broader platform. */
function versionWithin(name: OperatingSystemName, version: string): string {
  if (name === 'Fire OS') return fireOsBuiltOn(version) ?? unknown;
  return name === 'iPadOS' ? writeVersion(name, version) : unknown;
}

/**
 * On Windows the hint is not the version but the API contract:
 * https://learn.microsoft.com/en-us/microsoft-edge/web-platform/how-to-detect-win11
 */
function windowsOfContract(text: string): string {
  const [, major, minor] = /^(\d{1,3})(?:\.(\d{1,3}))?(?:\.\d{1,6}){0,2}$/.exec(text) ?? [];
  // No Windows was released with contract 11: a bare 11 is an importer's own knowledge.
  if (Number(major) >= 13 || text === '11') return '11';
  if (Number(major) > 0) return '10';
  return ({ 1: '7', 2: '8', 3: '8.1' } as Record<string, string>)[minor ?? ''] ?? unknown;
}

/** A structured-field string comes in quotes; a beacon may give the same without. */
function unquote(hint: string): string {
  return hint
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}

export function setOperatingSystem(read: OperatingSystemReader): Step {
  return {
    name: 'set operating system',
    run(draft) {
      draft.operatingSystem = read(draft.device);
      return undefined;
    },
  };
}

/** The system by the User-Agent alone: our corrections first, then the library. */
function readUserAgent(userAgent: string): { name: OperatingSystemName; version: string } {
  // Televisions write 0 for o where they fear to be taken for a telephone or a computer.
  const text = userAgent.replaceAll('Andr0id', 'Android').replaceAll('Chr0me', 'Chrome');
  const read = readByRule(text) ?? readByLibrary(text);
  const version = writeVersion(read.name, read.version);
  if (read.name === 'iOS' && /iPad/.test(text) && Number.parseInt(version, 10) >= 13) {
    return { name: 'iPadOS', version };
  }
  if (read.name === 'macOS') return { name: 'macOS', version: thawMacos(version, text) };
  return { name: read.name, version };
}

interface Reading {
  name: OperatingSystemName;
  version?: string | undefined;
}

function readByRule(userAgent: string): Reading | undefined {
  for (const rule of userAgentRules) {
    const match = rule.pattern.exec(userAgent);
    if (match === null) continue;
    const version = rule.version ? rule.version(match, userAgent) : match[1];
    return { name: rule.name, version };
  }
  return undefined;
}

/** The library's names and ours. Absent here: `Unknown`, however well the library knows it. */
const namesOfLibrary: Readonly<Record<string, OperatingSystemName>> = {
  Android: 'Android',
  'Android-x86': 'Android',
  Bada: 'Bada',
  BlackBerry: 'BlackBerry',
  'Chromium OS': 'ChromeOS',
  FreeBSD: 'FreeBSD',
  Haiku: 'Haiku',
  iOS: 'iOS',
  'Mac OS': 'macOS',
  MeeGo: 'MeeGo',
  NetBSD: 'NetBSD',
  OpenBSD: 'OpenBSD',
  Series40: 'Series 40',
  Solaris: 'Solaris',
  Symbian: 'Symbian',
  Tizen: 'Tizen',
  Windows: 'Windows',
  'Windows Mobile': 'Windows Phone',
  'Windows Phone': 'Windows Phone',
};

/** Those that may leave the word Linux out. */
const linuxDistribution =
  /linux|ubuntu|debian|suse|gentoo|arch|fedora|mandriva|mageia|centos|red ?hat|mint|maemo/i;

function readByLibrary(userAgent: string): Reading {
  const { name = '', version } = new UAParser(userAgent).getOS();
  const known = Object.hasOwn(namesOfLibrary, name) ? namesOfLibrary[name] : undefined;
  // If no rule read a version of Android, what the library found is an app's.
  if (known === 'Android') return { name: known };
  if (known !== undefined) return { name: known, version };
  // A distribution is Linux of no known version: most of them do not say which they are, and
  // the number beside the name is as often a package's as the release's.
  if (linuxDistribution.test(name) || /\bLinux\b/.test(userAgent)) return { name: 'Linux' };
  return { name: /\bWindows\b/.test(userAgent) ? 'Windows' : 'Unknown' };
}

/** Browsers stay at 10.15(.7) for ever; Apple's own clients do not. */
function thawMacos(version: string, userAgent: string): string {
  const frozen = version === '10.15.7' || version === '10.15';
  return frozen && userAgent.startsWith('Mozilla/') ? unknown : version;
}
