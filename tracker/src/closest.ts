/** The nearest element that matches: this one or one around it, out of shadow roots too. */
export function closest(element: Element | undefined, selector: string): HTMLElement | undefined {
  return (
    element &&
    (element.closest<HTMLElement>(selector) ||
      // Televisions of 2018 have neither this method nor shadow roots.
      (element.getRootNode && closest((element.getRootNode() as ShadowRoot).host, selector)))
  );
}
