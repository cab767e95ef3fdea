/** Waits that viewers report beside what they play, told bit by bit and not always the same. */
import type { Beacon } from '../../src/wire/beacons/beacon.ts';
import type { Random } from './random.ts';
import { mediaHosts, type QualityOfView, qualityMembers, type Reported } from './reported.ts';
import type { PlannedStretch } from './viewers.ts';

/** A beacon of a wait. */
export type WaitBeacon = Beacon & Required<Pick<Beacon, 'wait' | 'waitMs' | 'cause' | 'outcome'>>;
export type ToldWait = Pick<WaitBeacon, 'waitMs' | 'cause' | 'outcome' | 'error' | 'mediaHost'>;

/** One wait of a view, with what each of its beacons told. */
export interface PlannedWait
  extends Pick<PlannedStretch, 'view' | 'atMs' | 'publication' | 'system'> {
  readonly wait: number;
  readonly told: readonly ToldWait[];
  readonly ofView: QualityOfView;
  readonly sender: Reported['sender'];
}

const codes = ['3016', 'MEDIA_ERR_DECODE'];
const hourMs = 3_600_000;

/** Of one view, near its stretches; some views tell no start, and so nothing that counts. */
export function drawWaits(
  plan: readonly PlannedStretch[],
  sender: Reported['sender'],
  random: Random,
): PlannedWait[] {
  const [first] = plan;
  if (first === undefined || random.chance(0.2)) return [];
  const { view, publication, system } = first;
  const count = random.below(4);
  const numbers = random.chance(0.85) ? [0, 1, 2, 3] : [1, 2, 3];
  return numbers.slice(0, 1 + count).map((wait): PlannedWait => {
    const atMs = random.pick(plan).atMs + random.between(-5_000, 60_000);
    const ofView = qualityMembers(random);
    return {
      ...{ view, publication, system, wait, atMs, ofView, sender },
      told: drawTold(wait, random),
    };
  });
}

function drawTold(wait: number, random: Random): ToldWait[] {
  const wholeMs = random.below(random.chance(0.9) ? 8_000 : hourMs);
  const outcome = random.pick(['played', 'played', 'played', 'left', 'failed', 'waiting'] as const);
  const cause = wait === 0 ? 'start' : random.pick(['stall', 'seek', 'error'] as const);
  const last = toldOf({ waitMs: wholeMs, outcome, cause }, random);
  const before = Array.from({ length: random.below(3) }, () => {
    const other = wait > 0 && random.chance(0.2) ? ('stall' as const) : cause;
    return toldOf({ waitMs: random.below(wholeMs + 1), outcome: 'waiting', cause: other }, random);
  });
  return [...before, last];
}

function toldOf(told: Pick<ToldWait, 'waitMs' | 'cause' | 'outcome'>, random: Random): ToldWait {
  const mayHaveError = ['failed', 'played'].includes(told.outcome) || told.cause === 'error';
  return {
    ...told,
    ...(mayHaveError && random.chance(0.8) && { error: random.pick(codes) }),
    ...(random.chance(0.5) && { mediaHost: random.pick(mediaHosts) }),
  };
}
