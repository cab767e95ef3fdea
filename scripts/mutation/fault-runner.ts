/**
 * How vitest runs a test file for `npm run mutate`: once as it is, which shows the faults that its
 * tests come by, and then once with each of these, in the same process. Each verdict is a line of
 * a file, which outlives a process that a fault keeps from ending.
 */
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { inject, type RunnerTask, type RunnerTestFile, TestRunner, vi } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import { addVerdict, readVerdicts, timedOut } from './verdicts.ts';

export interface Judging {
  /** The file that verdicts are added to. */
  readonly verdicts: string;
  /** What verdicts call a test file, by its path. */
  readonly names: Readonly<Record<string, string>>;
  /** Slower tests take no part: many faults would run them. The faults' questions slow them too. */
  readonly slowAfterMs: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    judging: Judging;
  }
}

type Counts = Record<string, number>;

/** The names that the code with Stryker's faults has for them. */
interface Switch {
  readonly activeMutant: string | undefined;
  currentTestId?: string | undefined;
  readonly mutantCoverage: { readonly static: Counts; readonly perTest: Record<string, Counts> };
}

interface ReachedFault {
  readonly tests: string[];
  readonly isAtLoad: boolean;
}

/** Each fault asks whether it is there. What goes round for ever asks more often than this. */
const asksAtMost = (asksWithoutFault: number) => 3 * asksWithoutFault + 1_000_000;
const goesRound = 'goes round for ever';
/** A property passes that has held for so long: all its repetitions are too many for a fault. */
const propertyAtMostMs = 1_000;
/** Many faults let a test wait for ever; a busy machine lets it take several times as long. */
const waitAtMostMs = (slowAfterMs: number) => 3 * slowAfterMs;
/** For what goes round without asking, so that nothing else has its turn. */
const hangsAfterMs = (slowAfterMs: number) => 4 * waitAtMostMs(slowAfterMs);

export default class FaultRunner extends TestRunner {
  readonly #judging = inject('judging');
  readonly #switch: Switch;
  #fault: string | undefined;
  #asks = 0;
  #maxAsks = Number.POSITIVE_INFINITY;
  #isTrying = false;
  #failed: string | undefined;
  #isLoadedWithFault = false;
  /** Tells that the process does not hang. */
  #tellAlive = () => {};
  /** How long each takes without a fault. */
  readonly #quickTestsMs = new Map<string, number>();

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    const getFault = () => this.#askForFault();
    this.#switch = {
      get activeMutant() {
        return getFault();
      },
      mutantCoverage: { static: {}, perTest: {} },
    };
    Object.assign(globalThis, { __stryker__: this.#switch });
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    // One failed test is enough.
    if (this.#isTrying && this.#failed !== undefined) test.mode = 'skip';
    this.#tellAlive();
    this.#switch.currentTestId = test.id;
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTask): void {
    this.#switch.currentTestId = undefined;
    if (test.result?.state === 'fail') {
      const isLate = test.result.errors?.some(({ name }) => name === 'TestTimeoutError') === true;
      this.#failed ??= isLate ? `${test.name}${timedOut}` : test.name;
    }
    const { duration = 0 } = test.result ?? {};
    const isQuick = duration <= this.#judging.slowAfterMs;
    if (!this.#isTrying && isQuick) this.#quickTestsMs.set(test.id, duration);
    super.onAfterRunTask(test);
  }

  /** What costs little comes first, and what fails is not made small. */
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    fc.configureGlobal({
      ...fc.readConfigureGlobal(),
      interruptAfterTimeLimit: propertyAtMostMs,
      endOnFailure: this.#isTrying,
    });
    if (!this.#isTrying) return;
    const costOf = (task: RunnerTask): number =>
      task.type === 'test'
        ? (this.#quickTestsMs.get(task.id) ?? 0)
        : task.tasks.reduce((sum, one) => sum + costOf(one), 0);
    for (const file of files) file.tasks.sort((one, other) => costOf(one) - costOf(other));
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files);
    const [file] = files;
    if (this.#isTrying || file === undefined || file.result?.state !== 'pass') return;
    this.#isTrying = true;
    const reached = this.#reachedFaults();
    this.#keepTriesFromVitest();
    this.#maxAsks = asksAtMost(this.#asks);
    const { verdicts, names, slowAfterMs } = this.#judging;
    this.config.testTimeout = waitAtMostMs(slowAfterMs);
    this.config.hookTimeout = waitAtMostMs(slowAfterMs);
    const name = names[file.filepath] ?? file.filepath;
    // Or it would fail under any fault, too: its tests may need another order, or a new process.
    await this.#requirePass(file.filepath);
    const guard = guardAgainstHanging(verdicts, hangsAfterMs(slowAfterMs));
    for (const [fault, { tests, isAtLoad }] of reached) {
      // By this file, before a fault ended its process, or noticed by another.
      const isDecided = readVerdicts(verdicts).some(
        (one) => one.fault === fault && (one.file === name || one.noticedBy !== undefined),
      );
      if (isDecided) continue;
      const hung = { file: name, fault, noticedBy: `its process hung${timedOut}` };
      this.#tellAlive = () => guard.postMessage(JSON.stringify(hung));
      this.#tellAlive();
      if (isAtLoad || this.#isLoadedWithFault) vi.resetModules();
      this.#isLoadedWithFault = isAtLoad;
      const noticedBy = await this.#try(file.filepath, fault, tests);
      addVerdict(verdicts, { file: name, fault, ...(noticedBy !== undefined && { noticedBy }) });
    }
    this.#tellAlive = () => {};
    await guard.terminate();
    if (this.#isLoadedWithFault) vi.resetModules();
    await this.#requirePass(file.filepath);
    addVerdict(verdicts, { file: name });
  }

  async #requirePass(filepath: string): Promise<void> {
    const failed = await this.#try(filepath, undefined, [...this.#quickTestsMs.keys()]);
    if (failed !== undefined) throw new Error(`Fails without a fault, run again: ${failed}`);
  }

  #askForFault(): string | undefined {
    this.#asks += 1;
    if (this.#asks > this.#maxAsks) throw new Error(goesRound);
    return this.#fault;
  }

  /** A test file is one to vitest, however often it runs. */
  #keepTriesFromVitest(): void {
    const none = async () => {};
    Object.assign(this, {
      onTaskUpdate: none,
      onCollected: none,
      onCollectStart: (file: RunnerTestFile) => super.onCollectStart(file),
    });
  }

  /** With the tests that come by them: all where a module does as it loads. */
  #reachedFaults(): Map<string, ReachedFault> {
    const { static: atLoad, perTest } = this.#switch.mutantCoverage;
    const reached = new Map<string, ReachedFault>();
    for (const fault of Object.keys(atLoad)) {
      reached.set(fault, { tests: [...this.#quickTestsMs.keys()], isAtLoad: true });
    }
    for (const [test, faults] of Object.entries(perTest)) {
      if (!this.#quickTestsMs.has(test)) continue;
      for (const fault of Object.keys(faults)) {
        const { tests, isAtLoad } = reached.get(fault) ?? { tests: [], isAtLoad: false };
        if (!isAtLoad) reached.set(fault, { tests: [...tests, test], isAtLoad });
      }
    }
    return reached;
  }

  /** What fails with a fault. */
  async #try(
    filepath: string,
    fault: string | undefined,
    testIds: string[],
  ): Promise<string | undefined> {
    this.#fault = fault;
    this.#asks = 0;
    this.#failed = undefined;
    const [file] = await startTests([{ filepath, testIds }], this);
    this.#fault = undefined;
    if (file?.result?.state === 'fail') this.#failed ??= 'what surrounds the tests';
    // Where no test waits for what does so.
    if (this.#asks > this.#maxAsks) this.#failed ??= `${goesRound}${timedOut}`;
    return this.#failed;
  }
}

/** Ends the process when the next message is long in coming, and notes the last one. */
function guardAgainstHanging(verdicts: string, afterMs: number): Worker {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    let timer;
    parentPort.on('message', (line) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        require('node:fs').appendFileSync(workerData.verdicts, line + '\\n');
        process.kill(process.pid, 'SIGKILL');
      }, workerData.afterMs);
    });`;
  return new Worker(code, { eval: true, workerData: { verdicts, afterMs } });
}
