/** How a page stands on screens of several widths: nothing beside it, and nothing upon another. */
import { expect } from 'vitest';
import type { Page } from '../support/browser.ts';

interface Screen {
  readonly width: number;
  /** As the reader has it in the settings of the browser. */
  readonly fontPx?: number;
  /** As far apart as WCAG 1.4.12 has it. */
  readonly isSpaced?: boolean;
}

const fontPx = 16;
/** Phones, tablets and desks, narrower (WCAG 1.4.10) than the narrowest that there is, and wider. */
const screens: readonly Screen[] = [
  ...[320, 360, 480, 768, 1_024, 1_440, 2_560].map((width) => ({ width })),
  // WCAG 1.4.4, on a desk and on a tablet.
  ...[1_280, 640].map((width) => ({ width, fontPx: 2 * fontPx })),
  ...[1_280, 320].map((width) => ({ width, isSpaced: true })),
];
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; ' +
  'word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }';

/** Those on which there is the least room for its text, and the most for all else. */
export const extremeScreens = screens.filter(
  ({ width, fontPx, isSpaced }) =>
    width === 2_560 || (width === 320 && !isSpaced) || (width === 640 && fontPx !== undefined),
);

/** On none of them does the page scroll sideways, is text cut, or lies upon another or a control. */
export async function expectRoom(
  page: Page,
  name: string,
  seenOn: readonly Screen[] = screens,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const setFont = (standard: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
  const size = page.viewportSize();
  let before = fontPx;
  for (const screen of seenOn) {
    await page.setViewportSize({ width: screen.width, height: 900 });
    const standard = screen.fontPx ?? fontPx;
    // The whole page is laid out anew, even for the same size.
    if (standard !== before) await setFont(standard);
    before = standard;
    await page.evaluate(space, screen.isSpaced ? spacing : '');
    const message = `${name} at ${JSON.stringify(screen)}`;
    await expect.poll(() => page.evaluate(faultsOfLayout), { message }).toEqual([]);
  }
  await page.evaluate(space, '');
  await setFont(fontPx);
  if (size) await page.setViewportSize(size);
  await session.detach();
}

/** Runs in the page, which allows no styles within its text. */
async function space(text: string): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = text === '' ? [] : [sheet];
  // Charts are drawn anew once they know how much room there is.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

/** Runs in the page. What is under an open dialog, or fixed above all, is not looked at. */
function faultsOfLayout(): string[] {
  /** Letters are lower than their line, whose lines may reach into each other. */
  const lineShare = 0.2;
  const leastPx = 2;
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  type Rect = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
  interface Box extends Rect {
    readonly element: Element;
    readonly name: string;
  }

  const within = (one: Rect, other: Rect): Rect => ({
    ...{ left: Math.max(one.left, other.left), right: Math.min(one.right, other.right) },
    ...{ top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom) },
  });
  const all = { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 };
  const none = { left: 0, right: 0, top: 0, bottom: 0 };
  /** What is inside is seen beyond as well. Of the page, what scrolls away is as good as seen. */
  const isOpen = (element: Element) => {
    const { overflow, clipPath } = getComputedStyle(element);
    const isPage = element === document.body || element === document.documentElement;
    return isPage || (overflow === 'visible' && clipPath === 'none');
  };
  const rooms = new Map<Element, Rect>();
  /** Where what is inside of it is seen: beyond, it is clipped. */
  const roomIn = (element: Element): Rect => {
    const known = rooms.get(element);
    if (known !== undefined) return known;
    const isFixed = getComputedStyle(element).position === 'fixed' && element !== root;
    const around = element.parentElement === null ? all : roomIn(element.parentElement);
    const own = isOpen(element) ? around : within(around, element.getBoundingClientRect());
    const room = isFixed ? none : own;
    rooms.set(element, room);
    return room;
  };

  interface Edge {
    readonly room: Rect;
    readonly isAside: boolean;
    readonly isBelow: boolean;
  }
  const edges = new Map<Element, readonly Edge[]>();
  /** What cuts off what is inside of it, from inside out; up to what does so on purpose. */
  const edgesAround = (element: Element | null): readonly Edge[] => {
    if (element === null || element === root) return [];
    const known = edges.get(element);
    if (known !== undefined) return known;
    const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(element);
    const isOnPurpose = textOverflow === 'ellipsis' || clipPath !== 'none';
    const further = isOnPurpose ? [] : edgesAround(element.parentElement);
    const [isAside, isBelow] = [overflowX === 'hidden', overflowY === 'hidden'];
    const isEdge = !isOnPurpose && (isAside || isBelow);
    const room = element.getBoundingClientRect();
    const around = isEdge ? [{ room, isAside, isBelow }, ...further] : further;
    edges.set(element, around);
    return around;
  };

  /** Neither seen nor scrolled to, and not cut on purpose either. */
  const isCut = (element: Element, rect: Rect): boolean => {
    const [wide, high] = [rect.right - rect.left, rect.bottom - rect.top].map(
      (px) => px * lineShare,
    ) as [number, number];
    return edgesAround(element).some(
      ({ room, isAside, isBelow }) =>
        (isAside && (rect.left < room.left - wide || rect.right > room.right + leastPx)) ||
        (isBelow && (rect.top < room.top - high || rect.bottom > room.bottom + high)),
    );
  };

  const faults: string[] = [];
  const boxes: Box[] = [];
  const add = (element: Element, name: string, rects: Iterable<DOMRect>, share: number) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    for (const rect of rects) {
      const seen = within(rect, roomIn(element));
      const less = rect.height * share;
      const box = { ...seen, top: seen.top + less, bottom: seen.bottom - less };
      const isSeen = box.right - box.left > leastPx && box.bottom - box.top > leastPx;
      if (isSeen) boxes.push({ element, name, ...box });
    }
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const { parentElement } = currentNode;
    const text = currentNode.nodeValue?.trim() ?? '';
    const isRead = parentElement?.closest('select, title, script, style, textarea, video') === null;
    if (parentElement === null || text === '' || !isRead) continue;
    const range = document.createRange();
    range.selectNodeContents(currentNode);
    add(parentElement, text.slice(0, 60), range.getClientRects(), lineShare);
    for (const rect of range.getClientRects()) {
      if (parentElement.checkVisibility() && isCut(parentElement, rect))
        faults.push(`${text} is cut`);
    }
  }
  for (const control of root.querySelectorAll('button, input, select, textarea, img, video')) {
    // Of a button with words these are looked at: it may be as large as a card.
    if (control.matches('button') && control.textContent?.trim() !== '') continue;
    const name = control.outerHTML.slice(0, 80);
    add(control, name, [control.getBoundingClientRect()], 0);
  }

  boxes.sort((one, other) => one.top - other.top);
  for (const [index, one] of boxes.entries()) {
    for (let next = index + 1; next < boxes.length; next += 1) {
      const other = boxes[next] as Box;
      if (other.top >= one.bottom - leastPx) break;
      const isApart = other.left >= one.right - leastPx || one.left >= other.right - leastPx;
      const isInside = one.element.contains(other.element) || other.element.contains(one.element);
      if (!isApart && !isInside) faults.push(`${one.name} | ${other.name}`);
    }
  }
  for (const element of root.querySelectorAll('*')) {
    if (getComputedStyle(element).position !== 'absolute') continue;
    // Placed by what is further up, it is not clipped, and may make the page as wide as a table.
    let at = element.parentElement;
    while (at !== null && getComputedStyle(at).position === 'static' && isOpen(at)) {
      at = at.parentElement;
    }
    const isHeld = at === null || getComputedStyle(at).position !== 'static';
    if (!isHeld) faults.push(`${element.outerHTML.slice(0, 80)} is not held by what scrolls`);
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`it is ${scrollWidth} px wide`);
  return faults;
}
