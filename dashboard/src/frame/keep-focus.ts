/**
 * Where the element with the focus goes away (a row that was deleted, a dialog, a filter), the
 * focus goes to what stands around it, and not back to the top of the page.
 */

const places = 'section, form, fieldset, main, [tabindex]';

export function keepFocus(): void {
  let around: readonly Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    around = ancestorsOf(target as Element);
  });
  new MutationObserver(() => {
    const [own] = around;
    if (own === undefined || own.isConnected || document.activeElement !== document.body) return;
    const place = around.find((element) => element.isConnected && element.matches(places));
    around = [];
    if (!(place instanceof HTMLElement)) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** It first, then outwards. */
function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) found.push(at);
  return found;
}
