/** Clocks: whether the system sets the machine's, how far others are, and the rules of zones. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rulesVersion } from '../../lib/time/time-zone.ts';
import type { ServerClocks } from '../../store/facts.ts';
import { error, type Finding, ok, warning } from './doctor.ts';

const toleranceMs = 1_000;
/** A clock that is so much behind what the statistics store knows is wrong. */
export const behindMs = 60_000;
export const behindRemedy =
  'Set the clock by NTP. If it is right, because it was ahead before, start once with --accept-clock';
const answerWithinMs = 2_000;
/** systemd's own time service makes it; others do not. */
const synchronizedFile = '/run/systemd/timesync/synchronized';

/** What the kernel says, whoever sets the clock; undefined where that cannot be known. */
export async function isClockSynchronized(): Promise<boolean | undefined> {
  try {
    const words = ['show', '--property', 'NTPSynchronized', '--value'];
    const { stdout } = await promisify(execFile)('timedatectl', words, { timeout: answerWithinMs });
    const said = stdout.trim();
    if (said === 'yes' || said === 'no') return said === 'yes';
  } catch {
    // Containers have no such program, or nothing that answers it.
  }
  return existsSync(synchronizedFile) ? true : undefined;
}

export function lookAtSynchronization(isSynchronized: boolean | undefined): Finding[] {
  if (isSynchronized === undefined) {
    return [ok("Whether this machine's clock is synchronized is not known")];
  }
  if (isSynchronized) return [ok("This machine's clock is synchronized")];
  const remedy = 'Run `timedatectl set-ntp true`, or install chrony: play is counted by this clock';
  return [warning("This machine's clock is not synchronized", remedy)];
}

/** `aheadMs`: by how much the clock of that server is ahead of this machine's. */
export function lookAtOtherClock(server: string, aheadMs: number): Finding {
  const what = `The clock of ${server} differs by ${wholeMs(aheadMs)} ms`;
  if (Math.abs(aheadMs) <= toleranceMs) return ok(what);
  return error(what, 'Set the clocks of both machines by NTP');
}

/** `clocks`: undefined where one server holds the statistics. */
export function lookAtServerClocks(clocks: ServerClocks | undefined): Finding[] {
  if (clocks === undefined) return [];
  const { apartMs, coveredMs } = clocks;
  const servers = "the statistics cluster's servers";
  const differ = `The clocks of ${servers} differ by ${Math.round(apartMs)} ms`;
  if (apartMs <= toleranceMs) return [ok(differ)];
  const remedy = 'Set the clocks of all its servers by NTP';
  if (apartMs <= coveredMs) return [warning(differ, remedy)];
  return [error(`${differ}: new playback may be missing from the statistics`, remedy)];
}

/** ICU takes the rules of a folder at the start of the process, or its own without a word. */
export function lookAtTimeZones(folder: string | undefined): Finding[] {
  const version = rulesVersion();
  if (folder === undefined) return [ok(`Time zone rules ${version}, of Node`)];
  if (existsSync(join(folder, 'zoneinfo64.res'))) {
    return [ok(`Time zone rules ${version}, of ${folder}`)];
  }
  const what = `${folder} has no zoneinfo64.res: the time zone rules are those of Node, ${version}`;
  return [error(what, 'Put the files of ICU there, or unset ICU_TIMEZONE_FILES_DIR')];
}

/** Less than half of one behind is -0 otherwise. */
const wholeMs = (ms: number) => Math.round(ms) || 0;
