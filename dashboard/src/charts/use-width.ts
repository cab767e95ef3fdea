import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element, as it changes. */
export function useWidth<Node extends HTMLElement>(): [RefObject<Node | null>, number] {
  const node = useRef<Node>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (node.current === null) return;
    setWidth(node.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(node.current);
    return () => observer.disconnect();
  }, []);
  return [node, width];
}
