/** The dashboard in a real browser, and how soon it answers; what runs in the page is text. */
import { type Browser, type Page, personAt } from '../../test/support/browser.ts';

/** Events that answer sooner are not reported by the browser. */
export const leastEventMs = 16;
const settleMs = 500;

/** When the controls of the overview stood in the page: it takes input by then; and its figures. */
const noteFirstView = `window.firstView = new Promise((resolve) => {
  let controlsMs;
  const look = () => {
    if (document.querySelector('.page-controls select')) controlsMs ??= performance.now();
    const plays = document.querySelector('[data-measure=plays]')?.textContent.trim();
    if (plays) resolve({ controlsMs, figuresMs: performance.now() });
    else requestAnimationFrame(look);
  };
  look();
})`;

/** From an input until the frame after it, as the browser counts it: the slowest. */
const noteEvents = `(() => {
  window.slowestMs = 0;
  const note = (list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.slowestMs = Math.max(window.slowestMs, duration);
    }
  };
  new PerformanceObserver(note).observe({ type: 'event', durationThreshold: ${leastEventMs} });
})()`;

/** Scrolls by half a screen a frame, to the end and back; how long each frame took. */
const scrollThrough = `(async () => {
  const scroller = document.querySelector('dialog .scroll');
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  let last = await frame();
  for (const step of [1, -1]) {
    for (let passed = 0; passed < scroller.scrollHeight; passed += scroller.clientHeight / 2) {
      scroller.scrollBy(0, step * scroller.clientHeight / 2);
      const now = await frame();
      times.push(now - last);
      last = now;
    }
  }
  return times;
})()`;

export interface Interaction {
  readonly name: string;
  readonly from: string;
  /** What is there before the input; where it is clicked, in sight and below the pointer. */
  readonly ready: (page: Page) => Promise<unknown>;
  readonly input: (page: Page) => Promise<unknown>;
}

/** From the beginning of the navigation until they stand. */
export interface FirstView {
  readonly controlsMs: number;
  readonly figuresMs: number;
}

export interface Visitor {
  /** Without anything in the browser's cache. */
  firstView(): Promise<FirstView>;
  /** From the input until the page shows its answer, or that it works on it. */
  answerMs(interaction: Interaction): Promise<number>;
  /** `open`ed at the overview, a list of all rows in a dialog. */
  frameTimesMs(open: (page: Page) => Promise<unknown>): Promise<readonly number[]>;
}

/** Signed in with the key. */
export function visitorOf(browser: Browser, url: string, key: string): Visitor {
  const open = async (script: string) => {
    const context = await browser.newContext({ ...personAt(browser), baseURL: url });
    const headers = { 'x-api-key': key, 'x-requested-with': 'playmeter' };
    await context.request.post('/session', { headers });
    const page = await context.newPage();
    await page.addInitScript(script);
    return { page, close: () => context.close() };
  };
  return {
    async firstView() {
      const { page, close } = await open(noteFirstView);
      await page.goto('/');
      const firstView = await page.evaluate<FirstView>('window.firstView');
      await close();
      return firstView;
    },
    async answerMs({ from, ready, input }) {
      const { page, close } = await open(noteEvents);
      await page.goto(from);
      await ready(page);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(settleMs);
      await input(page);
      await page.waitForTimeout(settleMs);
      const slowestMs = await page.evaluate<number>('window.slowestMs');
      await close();
      return Math.max(slowestMs, leastEventMs);
    },
    async frameTimesMs(openList) {
      const { page, close } = await open('');
      await page.goto('/');
      await openList(page);
      const times = await page.evaluate<number[]>(scrollThrough);
      await close();
      return times;
    },
  };
}
