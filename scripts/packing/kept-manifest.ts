/**
 * While npm packs, package.json is that of the packed product, because npm reads no other. The
 * clone's is kept beside it and put back, at the latest by the next packing.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const keptFile = '.package.json.kept';

export function replaceManifest(root: string, text: string): void {
  const kept = join(root, keptFile);
  writeFileSync(`${kept}.new`, readFileSync(join(root, 'package.json')));
  renameSync(`${kept}.new`, kept);
  writeFileSync(join(root, 'package.json'), text);
}

/** Does nothing if package.json is the clone's: what was put back in another way stays. */
export function restoreManifest(root: string): void {
  const kept = join(root, keptFile);
  const manifest = join(root, 'package.json');
  if (!existsSync(kept)) return;
  const isPacked = 'testedNode' in JSON.parse(readFileSync(manifest, 'utf8'));
  if (isPacked) renameSync(kept, manifest);
}
