/** The dashboard in a real browser: signed in, watched for complaints, judged by axe. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly } from 'axe-core';
import { expect } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  personAt,
} from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { faultsOfTree } from './page-tree.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const rules: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The themes differ in colours alone: of the second one these are looked at. */
const rulesOfColor: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** By then an answer that has come over the network has come to the page. */
const pauseMs = 50;

export interface DashboardVisit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whatever the browser finds wrong, the policy (CSP) included. */
  readonly complaints: readonly string[];
  /** Origins that were asked for anything. */
  readonly asked: ReadonlySet<string>;
  /** Resolves when all that the page asked for is there, and it asks for nothing more. */
  quiet(): Promise<void>;
}

/** Somebody with a browser; signed in if there is a key. */
export async function visitDashboard(
  browser: Browser,
  service: TestService,
  key?: string,
  options: BrowserContextOptions = {},
): Promise<DashboardVisit> {
  const context = await browser.newContext({
    ...{ ...personAt(browser), locale: 'en-US', reducedMotion: 'reduce', baseURL: service.url },
    ...options,
  });
  if (key !== undefined) {
    const headers = { 'x-api-key': key, 'x-requested-with': 'playmeter' };
    const signedIn = await context.request.post('/session', { headers });
    expect(signedIn.status()).toBe(201);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked = new Set<string>();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  return { context, page, complaints, asked, quiet: quietOf(page) };
}

/** Sooner than `networkidle`, which is half a second without a request. */
function quietOf(page: Page): () => Promise<void> {
  const onWay = new Set<unknown>();
  let begun = 0;
  page.on('request', (request) => {
    // What another page asked for may never be said to have ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) onWay.clear();
    onWay.add(request);
    begun += 1;
  });
  page.on('requestfinished', (request) => onWay.delete(request));
  page.on('requestfailed', (request) => onWay.delete(request));
  return async () => {
    let before: number;
    do {
      await expect.poll(() => onWay.size, { message: 'requests on their way' }).toBe(0);
      before = begun;
      // Drawn once it has shown what came, and has asked for what that needs.
      await page.evaluate(
        (pauseMs) => new Promise((done) => setTimeout(() => requestAnimationFrame(done), pauseMs)),
        pauseMs,
      );
    } while (begun !== before || onWay.size > 0);
  };
}

/** A share of the last 28 days, of all videos or of one: the way of its link. */
export async function addShare(
  { catalog }: TestService,
  accountId: number,
  accessKey?: string,
): Promise<string> {
  const name = accessKey === undefined ? 'November' : 'November, one video';
  const { token } = accepted(
    await catalog.shares.create({
      ...{ accountId, name, accessKey, packageId: undefined },
      ...{ period: { lastDays: 28 }, filters: '', compare: 'none', timeZone: undefined },
      ...{ origins: [], expiresAt: undefined },
    }),
  );
  return `/shared/${token.start}#${token.secret}`;
}

interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly text: string;
}

/** The file that a button of this part of the page saves: CSV, SVG or PNG. */
export async function saved(part: Locator, kind: string): Promise<SavedFile> {
  const [download] = await Promise.all([
    part.page().waitForEvent('download'),
    part.getByRole('button', { name: kind, exact: true }).click(),
  ]);
  const bytes = await readFile(await download.path());
  return { name: download.suggestedFilename(), bytes, text: bytes.toString() };
}

/** In both themes, narrow and wide; the page is as it is open. */
export async function expectAccessible(page: Page, widths = [360, 1440], name = ''): Promise<void> {
  await page.evaluate(axeSource);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(drawn);
    for (const [colorScheme, runOnly] of [
      ['light', rules],
      ['dark', rulesOfColor],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page, runOnly), `${name} ${colorScheme}, ${width} px`).toEqual([]);
    }
    expect(await faultsOfTree(page), `${name}, as read out, ${width} px`).toEqual([]);
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth, `${name} at ${width} px`).toBeLessThanOrEqual(width);
  }
}

/** Resolves, in the page, when it was drawn at its new size: the second frame follows observers. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

async function violations(page: Page, rules: RunOnly): Promise<string[]> {
  const results = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, {
        runOnly,
        resultTypes: ['violations'],
      }) as Promise<AxeResults>,
    rules,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** What moves, or would when it changes: the names of elements. */
export function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lasts = (times: string) => times.split(', ').some((time) => Number.parseFloat(time) > 0);
    const moves = (element: Element, part: string | null) => {
      const style = getComputedStyle(element, part);
      const isMoved = style.animationName !== 'none' && lasts(style.animationDuration);
      return isMoved || lasts(style.transitionDuration);
    };
    return [...document.querySelectorAll('*')]
      .filter((element) => [null, '::before', '::after'].some((part) => moves(element, part)))
      .map((element) => element.localName);
  });
}
