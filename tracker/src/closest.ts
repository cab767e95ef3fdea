/** The nearest element that matches: this one or one around it, out of shadow roots too. */
export function closest(element: Element | undefined, selector: string): HTMLElement | undefined {
  return (
    element &&
    (element.closest<HTMLElement>(selector) ||
      closest((element.getRootNode() as ShadowRoot).host, selector))
  );
}
