/** The steps of collecting, in their order: from a draft to facts, or to a refusal. */
import type { Registry } from 'prom-client';
import type { Fact } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { type CountryOf, setAttributes } from './audience/set-attributes.ts';
import { setLabels } from './audience/set-labels.ts';
import { checkAuthority } from './check-authority.ts';
import { checkForm } from './check-form.ts';
import { checkOrigin } from './check-origin.ts';
import { checkTime } from './check-time.ts';
import type { BatchContext, BeaconContext, BeaconDraft, Draft, Refusal, Step } from './draft.ts';
import { identifyVideo } from './identify-video.ts';
import { createStepMeter } from './measure-steps.ts';
import { createOperatingSystemReader } from './operating-system/read-operating-system.ts';
import { createUserAgentRecall } from './recall-user-agent.ts';
import { setOperatingSystem } from './set-operating-system.ts';
import { type BotSieve, createBotSieve, sieveBots } from './sieve-bots.ts';
import { checkSigning } from './signing/check-signing.ts';
import { splitIntoSlots } from './split-into-slots.ts';
import { boundApart } from './unusual/bound-apart.ts';
import type { Judge } from './unusual/judge.ts';
import { setUnusualApart } from './unusual/set-unusual-apart.ts';
import { setViewer } from './viewers/set-viewer.ts';
import type { Stretch, Viewers } from './viewers/viewers.ts';

export interface Steps {
  /** Separate from the others: it makes the draft from whatever was received. */
  readonly checkForm: typeof checkForm;
  /** For wire forms that store events before there is a draft. */
  readonly refuseBot: BotSieve;
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
  readonly judge: Judge;
  readonly countryOf: CountryOf;
  readonly viewers: Viewers;
}

export function createSteps({ metrics, clock, judge, countryOf, viewers }: StepParts): Steps {
  const meter = createStepMeter(metrics, clock);
  const recall = createUserAgentRecall();
  const refuseBot = createBotSieve(recall);
  const toFacts: readonly Step[] = [
    checkOrigin,
    checkTime,
    checkSigning,
    sieveBots(refuseBot),
    setOperatingSystem(createOperatingSystemReader(recall)),
    setAttributes(countryOf, recall),
    setUnusualApart(judge),
    setViewer(viewers),
    splitIntoSlots,
    boundApart(judge.apartRoom),
  ].map(meter.measured);
  const beaconToFacts: readonly Step<BeaconDraft, BeaconContext>[] = [
    meter.measured(checkAuthority),
    meter.measured(identifyVideo),
    meter.measured(setLabels),
    ...toFacts,
  ];
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
