/**
 * `npm pack` runs it first: builds the program and the client, writes down what is in them, and
 * puts the packed product's package.json in place of the clone's.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from './packing/bill-of-materials.ts';
import { replaceManifest, restoreManifest } from './packing/kept-manifest.ts';
import type { LockedPackages } from './packing/locked-packages.ts';
import { type Manifest, packedManifest, shippedPackages } from './packing/packed-manifest.ts';
import { thirdPartyLicences } from './packing/third-party-licences.ts';
import { buildProgram } from './program/build.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

restoreManifest(root);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: LockedPackages;
};

rmSync(dist, { recursive: true, force: true });
await buildProgram();
compile('client/tsconfig.build.json');
const shipped = shippedPackages(manifest, packages);
writeFileSync(join(dist, 'third-party-licences.txt'), thirdPartyLicences(root, shipped));
writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(manifest, shipped));
const packed = packedManifest(manifest, packages);
replaceManifest(root, `${JSON.stringify(packed, undefined, 2)}\n`);

function compile(project: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, project)], {
    // What npm itself prints, such as the name of the file, stays clean.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
