/** The tests serve the tracker that the sources describe, however they are started. */
import { execFileSync } from 'node:child_process';
import { isTrackerBuilt } from '../../tracker/built-from.mjs';

export default function setup(): void {
  if (!isTrackerBuilt()) execFileSync(process.execPath, ['tracker/build.ts'], { stdio: 'inherit' });
}
