/** The dashboard in a real browser: signed in, watched for complaints, judged by axe. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly } from 'axe-core';
import { expect } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  personAt,
} from '../support/browser.ts';
import type { TestService } from '../support/service.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
type Theme = 'light' | 'dark';
const rulesOf: Readonly<Record<Theme, RunOnly>> = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  // The themes differ in colours alone.
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Of what a page is waited for: a busy machine takes its time, and a test 5 minutes at most. */
export const patienceMs = 120_000;

/** With the tags of their tests: Korean is shown at length. */
export const inBothLanguages: readonly [locale: string, tags: 'long'[]][] = [
  ['en-US', []],
  ['ko-KR', ['long']],
];
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
  context.setDefaultTimeout(patienceMs);
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
    let isWaiting: boolean;
    do {
      await expect.poll(() => onWay.size, { message: 'requests on their way' }).toBe(0);
      before = begun;
      // Drawn once it has shown what came, and has asked for what that needs.
      isWaiting = await page.evaluate(async (pauseMs) => {
        await new Promise((done) => setTimeout(() => requestAnimationFrame(done), pauseMs));
        // Lists out of sight are asked for after all else.
        return document.querySelector('.cards [aria-busy="true"]') !== null;
      }, pauseMs);
    } while (isWaiting || begun !== before || onWay.size > 0);
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

/** The file that a button of this part of the page saves, or of its menu: CSV, SVG or PNG. */
export async function saved(part: Locator, kind: string): Promise<SavedFile> {
  const button = part.getByRole('button', { name: kind, exact: true });
  await openMenu(part, button);
  const [download] = await Promise.all([part.page().waitForEvent('download'), button.click()]);
  const bytes = await readFile(await download.path());
  return { name: download.suggestedFilename(), bytes, text: bytes.toString() };
}

/** The menu of this part of the page, if what it has is not there already. */
export async function openMenu(part: Locator, item: Locator): Promise<void> {
  const menu = part.getByRole('button', { name: 'Save or explain: ' });
  await item.or(menu).first().waitFor();
  if ((await item.count()) === 0) await menu.click();
}

/** Chooses one of the lists of a card that has several: by its menu, or side by side. */
export async function chooseList(card: Locator, title: string): Promise<void> {
  const menu = card.getByRole('combobox');
  if ((await menu.count()) > 0) await menu.selectOption(title);
  else await card.getByRole('button', { name: title, exact: true }).click();
}

/** By the rules of each theme, and as it is read out. The page is as it is. */
export async function expectAccessible(
  page: Page,
  name = '',
  themes: readonly Theme[] = ['light'],
): Promise<void> {
  await page.evaluate(axeSource);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page, rulesOf[colorScheme]), `${name} ${colorScheme}`).toEqual([]);
  }
  expect(await faultsOfTree(page), `${name}, as read out`).toEqual([]);
}

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

/** Below: a page as a screen reader meets it, by the tree that the browser makes for it. */
const operated = [
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio'],
  ...['slider', 'spinbutton', 'switch', 'tab', 'Date', 'DisclosureTriangle', 'Video'],
];
const shown = ['table', 'figure', 'image', 'progressbar', 'meter', 'heading', 'dialog'];
/** What is said as the reader comes into it. */
const parts = ['region', 'article', 'form', 'group', 'navigation', 'dialog'];
/** What a link stands in may say where it leads (WCAG 2.4.4); what a button does, it says itself. */
const contexts = ['row', 'listitem', 'paragraph', 'term', 'definition'];

interface TreeNode {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly properties?: readonly {
    readonly name: string;
    readonly value: { readonly value?: unknown };
  }[];
}

/** What has no name, is called as another beside it, or is out of its order; in words. */
export async function faultsOfTree(page: Page): Promise<string[]> {
  const tree = await readTree(page);
  const isModal = tree.some(({ isOpenDialog }) => isOpenDialog);
  const nameless = tree.filter(
    ({ role, name, isCaptioned }) =>
      (operated.includes(role) || shown.includes(role)) && name === '' && !isCaptioned,
  );
  const faults = nameless.map(({ role }) => `a ${role} has no name`);
  // So the browser calls a table whose cells it takes for a layout.
  if (tree.some(({ role }) => role === 'LayoutTable')) faults.push('a table is not read as one');

  const known = new Map<string, string>();
  for (const { nodeId, role, name, above, url } of tree) {
    const isInContext = role === 'link' && above.some((outer) => contexts.includes(outer.role));
    if (!operated.includes(role) || isInContext) continue;
    const part = above.findLast((outer) => parts.includes(outer.role) && outer.name !== '');
    const one = JSON.stringify([role, name, part?.nodeId]);
    // Links to one place are one.
    const target = url || nodeId;
    const other = known.get(one) ?? target;
    if (other !== target) faults.push(`another ${role} is called "${name}" in "${part?.name}"`);
    known.set(one, target);
  }

  const levels = tree.filter(({ role }) => role === 'heading').map(({ level }) => level);
  // The headings of a dialog go on from those of the page, which is out of reach meanwhile.
  const first = isModal ? 2 : 1;
  const isJump = (level: number, index: number) => level > (levels[index - 1] ?? first - 1) + 1;
  if (levels[0] !== first || levels.some(isJump)) faults.push(`headings are of levels ${levels}`);
  const mains = tree.filter(({ role }) => role === 'main').length;
  const tops = levels.filter((level) => level === 1).length;
  if (!isModal && (mains !== 1 || tops !== 1)) faults.push(`main: ${mains}, h1: ${tops}`);
  return faults;
}

interface ReadNode {
  readonly nodeId: string;
  readonly role: string;
  readonly name: string;
  readonly level: number;
  /** Of a link. */
  readonly url: string;
  readonly isOpenDialog: boolean;
  readonly isCaptioned: boolean;
  /** From the page to the nearest. */
  readonly above: readonly ReadNode[];
}

/** In the order in which it is read, without what the browser itself puts into a date or a film. */
async function readTree(page: Page): Promise<ReadNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: TreeNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const childrenOf = ({ childIds = [] }: TreeNode) => childIds.flatMap((id) => byId.get(id) ?? []);
  const walk = (node: TreeNode, above: readonly ReadNode[]): ReadNode[] => {
    const property = (wanted: string) =>
      node.properties?.find(({ name }) => name === wanted)?.value.value;
    const one: ReadNode = {
      nodeId: node.nodeId,
      role: String(node.role?.value ?? ''),
      name: String(node.name?.value ?? '').trim(),
      url: String(property('url') ?? ''),
      level: Number(property('level') ?? 0),
      isOpenDialog: property('modal') === true,
      isCaptioned: childrenOf(node).some(({ role }) => role?.value === 'Figcaption'),
      above,
    };
    const isWhole = ['Date', 'Video'].includes(one.role);
    const within = isWhole ? [] : childrenOf(node).flatMap((child) => walk(child, [...above, one]));
    return node.ignored ? within : [one, ...within];
  };
  return nodes.filter(({ parentId }) => parentId === undefined).flatMap((root) => walk(root, []));
}
