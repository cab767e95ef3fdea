/** What the lockfile says will be installed for some packages: they and all that they need. */

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Paths in the lockfile, such as `node_modules/a/node_modules/b`, in order of the alphabet. */
export function pathsNeededBy(names: readonly string[], packages: LockedPackages): string[] {
  const found = new Set<string>();
  const take = (name: string, from: string, isOptional: boolean): void => {
    const path = pathOf(name, from, packages);
    if (path === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no ${name}, which ${from || 'package.json'} needs`);
    }
    if (found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path] ?? {};
    for (const needed of Object.keys(dependencies ?? {})) take(needed, path, false);
    for (const needed of Object.keys(optionalDependencies ?? {})) take(needed, path, true);
    for (const needed of Object.keys(peerDependencies ?? {})) {
      if (!peerDependenciesMeta?.[needed]?.optional) take(needed, path, false);
    }
  };
  for (const name of names) take(name, '', false);
  return [...found].sort();
}

/** As Node looks for it: inside the package that needs it, then in those around that one. */
function pathOf(name: string, from: string, packages: LockedPackages): string | undefined {
  for (let within = from; ; ) {
    const path = `${within === '' ? '' : `${within}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (within === '') return undefined;
    within = within.slice(0, Math.max(0, within.lastIndexOf('/node_modules/')));
  }
}

export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
