/** The licence texts of all that is shipped, each text once, under the packages that have it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackages, nameOfPath } from './locked-packages.ts';

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const rule = '-'.repeat(80);

/** `root` has node_modules. Packages for other systems are not there: they are listed alone. */
export function thirdPartyLicences(root: string, packages: LockedPackages): string {
  const namesByText = new Map<string, string[]>();
  for (const [path, { version, license }] of Object.entries(packages)) {
    const name = `${nameOfPath(path)} ${version} (${license})`;
    const text = licenceTextIn(join(root, path)) ?? 'No licence text is installed with these:';
    namesByText.set(text, [...(namesByText.get(text) ?? []), name]);
  }
  const sections = [...namesByText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return [
    'Playmeter runs on these packages, or contains parts of them.',
    ...sections.sort(),
    '',
  ].join(`\n\n${rule}\n\n`);
}

function licenceTextIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .sort();
  if (files.length === 0) return undefined;
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}
