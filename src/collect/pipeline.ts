/** The steps of collecting, in their order: from a draft to facts, or to a refusal. */
import type { Registry } from 'prom-client';
import { accept, type Result, refuse } from '../lib/result.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Fact } from '../store/facts.ts';
import type { AbuseDetector } from './abuse/abuse-detector.ts';
import { type BotFilter, createBotFilter, refuseBots } from './abuse/bot-step.ts';
import { refuseOtherBeginnings, setUnusualApart } from './abuse/detector-steps.ts';
import { limitQuarantine, refuseWhileFull } from './abuse/quarantine-limit.ts';
import type { BatchContext, BeaconContext, BeaconDraft, Draft, Refusal, Step } from './draft.ts';
import { type CountryOf, setAttributes } from './enrich/attribute-step.ts';
import { setLabels } from './enrich/label-step.ts';
import { setQuality } from './enrich/quality-step.ts';
import {
  createOperatingSystemReader,
  setOperatingSystem,
} from './enrich/system/operating-system.ts';
import { createUserAgentRecall } from './enrich/user-agent-memory.ts';
import { type Stretch, setViewer, type Viewers } from './enrich/viewer/viewers.ts';
import { checkAuthority, checkForm, identifyVideo } from './forms/beacon/beacon-steps.ts';
import { checkSigning } from './signing/signature-step.ts';
import { checkOrigin } from './steps/origin-step.ts';
import { splitIntoSlots } from './steps/slot-step.ts';
import { createStepMeter } from './steps/step-metrics.ts';
import { checkTime } from './steps/time-step.ts';

export interface Steps {
  /** Separate from the others: it makes the draft from whatever was received. */
  readonly checkForm: typeof checkForm;
  /** For wire forms that store events before there is a draft. */
  readonly refuseBot: BotFilter;
  /** To be awaited, if there is anything to await, before these become facts. */
  prepare(stretches: readonly Stretch[]): Promise<void> | undefined;
  beaconToFacts(draft: BeaconDraft, context: BeaconContext): Result<readonly Fact[], Refusal>;
  /** The same for every wire form, once the video is identified. */
  toFacts(draft: Draft, context: BatchContext): Result<readonly Fact[], Refusal>;
}

/** What steps work with; a step that needs some of it is made here by a function that takes it. */
interface StepParts {
  readonly metrics: Registry;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly judge: AbuseDetector;
  readonly countryOf: CountryOf;
  readonly viewers: Viewers;
}

export function createSteps({ metrics, clock, judge, countryOf, viewers }: StepParts): Steps {
  const meter = createStepMeter(metrics, clock);
  const recall = createUserAgentRecall();
  const refuseBot = createBotFilter(recall);
  const check: readonly Step[] = [checkOrigin, checkTime, checkSigning, refuseBots(refuseBot)].map(
    meter.measured,
  );
  const make: readonly Step[] = [
    setOperatingSystem(createOperatingSystemReader(recall)),
    setAttributes({ countryOf, knowsStart: judge.knowsStart }, recall),
    setQuality(),
    setUnusualApart(judge),
    refuseWhileFull(judge.quarantineLimit),
    setViewer(viewers),
    splitIntoSlots,
    limitQuarantine(judge.quarantineLimit),
  ].map(meter.measured);
  const beaconToFacts: readonly Step<BeaconDraft, BeaconContext>[] = [
    meter.measured(checkAuthority),
    meter.measured(identifyVideo),
    meter.measured(setLabels),
    ...check,
    // Of other forms the service itself dates what was played.
    meter.measured(refuseOtherBeginnings(judge)),
    ...make,
  ];
  const toFacts = [...check, ...make];
  const reasonOf = (form: ReturnType<typeof checkForm>) => (form.ok ? undefined : form.reason);
  return {
    checkForm: meter.measure('check form', checkForm, reasonOf),
    refuseBot,
    prepare: viewers.prepare,
    beaconToFacts: (draft, context) => walk(beaconToFacts, draft, context),
    toFacts: (draft, context) => walk(toFacts, draft, context),
  };
}

function walk<Kind extends Draft, Context extends BatchContext>(
  steps: readonly Step<Kind, Context>[],
  draft: Kind,
  context: Context,
): Result<readonly Fact[], Refusal> {
  for (const step of steps) {
    const refusal = step.run(draft, context);
    if (refusal) return refuse(refusal);
  }
  return accept(draft.facts);
}
