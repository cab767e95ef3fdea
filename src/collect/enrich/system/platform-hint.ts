import { type OperatingSystemName, operatingSystemNames } from './operating-system-names.ts';
import { unknown, writeVersion } from './version-form.ts';
import { androidOfLevelOrVersion, fireOsBuiltOn } from './version-tables.ts';

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
export function readPlatform(hint: string): OperatingSystemName | undefined {
  return namesByHint.get(unquote(hint).toLowerCase());
}

/** The version of `name` by `Sec-CH-UA-Platform-Version`, which counts that of `platform`. */
export function readPlatformVersion(
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
