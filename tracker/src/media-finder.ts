/**
 * Finds the media elements of a page, now and later, in open shadow roots too. It looks at what is
 * added and nothing else, so that a page that changes all the time costs what it adds.
 */
import { guard } from './guard.ts';

/**
 * Gives a function that looks at the whole page. `find` gets an element as often as it is seen. A
 * custom element that behaves like one is found when it plays, and only if no real one is within:
 * before, it may be a shell around a `<video>` that is still to come, and would be counted twice.
 */
export function createMediaFinder(find: (media: HTMLMediaElement) => void): () => void {
  /** Roots that are observed, and elements whose definition is waited for. */
  const known = new WeakSet<Node>();

  const observer = new MutationObserver(
    guard((records) => {
      for (const { type, target, addedNodes } of records) {
        for (const node of type === 'attributes' ? [target] : addedNodes) {
          look(node as Element);
        }
      }
    }),
  );

  const onPlay = guard(({ target }: Event) => {
    const element = target as HTMLMediaElement;
    if (!look(element) && 'seeking' in element) find(element);
  });

  /** Whether there is a real media element within. */
  function look(node: Element | ShadowRoot | Document): boolean {
    let hasMedia = false;
    // Text has no such method.
    const within = node.querySelectorAll ? node.querySelectorAll('*') : [];
    for (const element of [node as Element, ...within]) {
      if (element instanceof HTMLMediaElement) {
        hasMedia = true;
        find(element);
      } else if (element.shadowRoot) {
        observe(element.shadowRoot);
        if (look(element.shadowRoot)) hasMedia = true;
      } else if (/-/.test(element.localName) && !known.has(element)) {
        // A custom element has its shadow root no sooner than its definition has come.
        known.add(element);
        customElements.whenDefined(element.localName).then(
          guard(() => look(element)),
          () => {},
        );
      }
    }
    return hasMedia;
  }

  function observe(root: ShadowRoot | Document) {
    if (known.has(root)) return;
    known.add(root);
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributeFilter: ['data-video-key'],
    });
    // Media events do not bubble, but can be captured.
    root.addEventListener('play', onPlay, true);
  }

  return guard(() => {
    observe(document);
    look(document);
  });
}
