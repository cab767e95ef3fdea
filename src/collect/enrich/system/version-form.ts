import type { OperatingSystemName } from './operating-system-names.ts';
import { isReleased, isWholeVersion } from './released-versions.ts';

export const unknown = 'Unknown';

/** Three numbers at most: a fourth is a build, which nobody calls the version. */
const digitsAndDots = /^(0|[1-9]\d{0,2})(?:\.(\d|[1-9]\d)(?:\.(\d|[1-9]\d)(?:\.\d{1,9})*)?)?$/;
/** Linux reports its kernel, whose third number only the packager of a distribution knows. */
const kernel = /^([1-9]\d?)\.(\d|[1-9]\d)(?:\.\d{1,9})*$/;
/** Ubuntu 20.04 and PlayStation Vita 3.01 keep the zero that others never have. */
const twoDigitMinor = /^([1-9]\d?)\.(\d\d)(?:\.\d{1,9})*$/;
const formsByName: Partial<Record<OperatingSystemName, RegExp>> = {
  Linux: kernel,
  'PlayStation Portable': twoDigitMinor,
  'PlayStation Vita': twoDigitMinor,
  'Ubuntu Touch': twoDigitMinor,
};

/** Numbers that only betas had, and the number of the release. */
const renumbered: Partial<Record<OperatingSystemName, readonly [RegExp, string]>> = {
  iOS: [/^19\b/, '26'],
  iPadOS: [/^19\b/, '26'],
  macOS: [/^10\.16\b.*/, '11'],
};

/** A version as people write it: `17_4_0` is 17.4, `14.0.0` is 14; anything else is `Unknown`. */
export function writeVersion(name: OperatingSystemName, text: string | undefined): string {
  if (text === undefined) return unknown;
  if (isWholeVersion(name, text)) return text;
  const [beta, release] = renumbered[name] ?? [/^$/, ''];
  const version = shorten(formsByName[name] ?? digitsAndDots, text).replace(beta, release);
  return isReleased(name, version) ? version : unknown;
}

/** Without zeros at the end; empty where `text` is not of the form. */
function shorten(form: RegExp, text: string): string {
  const match = form.exec(text.replaceAll('_', '.').replace(/\.+$/, ''));
  const parts = match?.slice(1).filter((part) => part !== undefined) ?? [];
  while (Number(parts.at(-1)) === 0) parts.pop();
  return parts.join('.');
}
