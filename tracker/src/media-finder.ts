/**
 * Finds the media elements of a page, now and later, in open shadow roots too. It looks at what is
 * added and nothing else, so that a page that changes all the time costs what it adds.
 */
import { guard } from '../../client/src/sender/guard.ts';

/**
 * Gives a function that looks at the whole page. `find` gets an element as often as it is seen. A
 * custom element that behaves like one is found when it plays, and only if no real one is within:
 * before, it may be a shell around a `<video>` that is still to come, and would be counted twice.
 */
export function createMediaFinder(find: (media: HTMLMediaElement) => void): () => void {
  /** Roots that are observed, and elements whose definition is waited for. */
  const known = new WeakSet<Node>();
  /** Whether a real media element was seen. */
  let isSeen: boolean;

  const observer = new MutationObserver(
    guard((records) => {
      for (const { attributeName, target, addedNodes } of records) {
        for (const node of attributeName ? [target] : addedNodes) look(node as Element);
      }
    }),
  );

  const onPlay = guard(({ target }: Event) => {
    isSeen = false;
    look(target as Element);
    if (!isSeen && 'seeking' in (target as Element)) find(target as HTMLMediaElement);
  });

  function look(node: Element | ShadowRoot | Document) {
    // Text has no such method, nor anything to find.
    if (!node.querySelectorAll) return;
    for (const element of [node as Element, ...node.querySelectorAll('*')]) {
      if (element instanceof HTMLMediaElement) {
        isSeen = true;
        find(element);
      } else if (element.shadowRoot) {
        lookInto(element.shadowRoot);
      } else if (/-/.test(element.localName) && !known.has(element)) {
        // A custom element has its shadow root no sooner than its definition has come.
        known.add(element);
        customElements.whenDefined(element.localName).then(
          guard(() => look(element)),
          () => {},
        );
      }
    }
  }

  /** And at what comes later. */
  function lookInto(root: ShadowRoot | Document) {
    if (!known.has(root)) {
      known.add(root);
      observer.observe(root, {
        childList: true,
        subtree: true,
        attributeFilter: ['data-video-key', 'data-hold'],
      });
      // Media events do not bubble, but can be captured.
      root.addEventListener('play', onPlay, true);
    }
    look(root);
  }

  return guard(() => lookInto(document));
}
