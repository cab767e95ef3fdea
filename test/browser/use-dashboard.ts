/**
 * One browser and one service for all files of a worker that need no other; each file has an
 * account of its own, and its pages are closed when it ends.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, test as base } from 'vitest';
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  personAt,
  startBrowser,
} from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { type DashboardVisit, patienceMs, visitDashboard } from './dashboard.ts';

const dayMs = 86_400_000;
/** No test that asks for today begins within so long before midnight, or after it. */
const [beforeMidnightMs, afterMidnightMs] = [120_000, 70_000];

const worker = base
  // biome-ignore lint/correctness/noEmptyPattern: what a fixture needs is read from its pattern
  .extend('browsers', { scope: 'worker' }, async ({}, { onCleanup }) => {
    let running: Browser | undefined;
    onCleanup(() => running?.close());
    return {
      /** A browser that crashed in the file before is started anew. */
      async find(): Promise<Browser> {
        if (!running?.isConnected()) running = await startBrowser();
        return running;
      },
    };
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('service', { scope: 'worker' }, async ({}, { onCleanup }) => {
    let isOver = false;
    const write = (line: string) => void (isOver || process.stderr.write(line));
    const service = await startTestService({ log: pino({ level: 'error' }, { write }) });
    // It can't be stopped: the engine, which it needs for that, ends together with the workers.
    onCleanup(() => {
      isOver = true;
      return rm(service.config.DATA_DIR, { recursive: true, force: true, maxRetries: 10 });
    });
    return service;
  });

/**
 * Whatever a page, the service and a test call today is one day, for a while, and what was played a
 * minute ago was played on it.
 */
export async function awayFromMidnight(): Promise<void> {
  const nearMs = beforeMidnightMs + afterMidnightMs;
  const intoMs = (Date.now() + beforeMidnightMs) % dayMs;
  if (intoMs < nearMs) await sleep(nearMs - intoMs);
}

/** For the tests of this file, after which its pages are closed. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  worker.beforeAll(async ({ browsers }) => {
    browser = await browsers.find();
  });
  afterAll(() => browser && closePages(browser));
  return () => known(browser);
}

/** Of the one file that runs: whatever they count too much has come then. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export interface DashboardStage {
  readonly service: TestService;
  readonly account: TestAccount;
  readonly browser: Browser;
  /** Somebody who is not signed in. */
  visit(options?: BrowserContextOptions): Promise<DashboardVisit>;
  /** The owner of the account, signed in. */
  visitAsOwner(options?: BrowserContextOptions): Promise<DashboardVisit>;
  /** One of the owner's pages. */
  open(path: string): Promise<Page>;
  /** A page of whoever watches films, at any URL. */
  openAsViewer(url: string, person?: BrowserContextOptions): Promise<Page>;
  /** What the interface answers the owner. */
  read<Body>(path: string): Promise<Body>;
}

/** There once the tests of this file run, and `prepare`d before them. */
export function useDashboard(
  prepare?: (stage: DashboardStage) => Promise<void>,
): () => DashboardStage {
  let stage: DashboardStage | undefined;
  const findBrowser = useBrowser();
  worker.beforeAll(async ({ service }) => {
    await awayFromMidnight();
    const browser = findBrowser();
    const account = await service.addAccount();
    const visitAsOwner = (options?: BrowserContextOptions) =>
      visitDashboard(browser, service, account.key, options);
    stage = {
      ...{ service, account, browser, visitAsOwner },
      visit: (options) => visitDashboard(browser, service, undefined, options),
      async open(path) {
        const { page } = await visitAsOwner();
        await page.goto(path);
        return page;
      },
      async openAsViewer(url, person = {}) {
        const context = await browser.newContext({ ...personAt(browser), ...person });
        context.setDefaultTimeout(patienceMs);
        const page = await context.newPage();
        await page.goto(url);
        return page;
      },
      read: async <Body>(path: string) =>
        (await (await service.get(path, account.key)).json()) as Body,
    };
    await prepare?.(stage);
  });
  return () => known(stage);
}

function known<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('It is there once the tests run');
  return thing;
}
