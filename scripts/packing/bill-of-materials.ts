/** The bill of materials (CycloneDX) of the packed product: npm makes it out of the lockfile. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LockedPackages, nameOfPath } from './locked-packages.ts';
import type { Manifest } from './packed-manifest.ts';

/** JSON. `shipped` is what `shippedPackages` gives for the manifest. */
export function billOfMaterials(manifest: Manifest, shipped: LockedPackages): string {
  const place = mkdtempSync(join(tmpdir(), 'playmeter-materials-'));
  // npm takes the product's name from the folder's.
  const folder = join(place, manifest.name);
  mkdirSync(folder);
  try {
    const top = Object.entries(shipped).filter(([path]) => path.lastIndexOf('node_modules/') === 0);
    const { name, version, license, description } = manifest;
    const dependencies = Object.fromEntries(
      top.map(([path, { version: exact }]) => [nameOfPath(path), exact]),
    );
    const own = { name, version, license, description, dependencies };
    const put = (file: string, value: unknown) =>
      writeFileSync(join(folder, file), JSON.stringify(value));
    put('package.json', own);
    put('package-lock.json', {
      name,
      version,
      lockfileVersion: 3,
      packages: { '': own, ...shipped },
    });
    const words = [
      'sbom',
      '--package-lock-only',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
    ];
    return execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  } finally {
    rmSync(place, { recursive: true });
  }
}
