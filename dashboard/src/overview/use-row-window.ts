import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Drawn beyond what is in sight, on either side: the keyboard moves on to them. */
const beyondRows = 20;
/** Until one is drawn and measured. */
const usualRowPx = 34;

interface RowWindow {
  /** Goes around the table, and scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly first: number;
  /** The first one that is not drawn any more. */
  readonly end: number;
  /** The room of those before, and of those after. */
  readonly beforePx: number;
  readonly afterPx: number;
}

/** Which rows of a long table are drawn, where all are as high as the first. */
export function useRowWindow(rowCount: number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, rows: 2 * beyondRows, rowPx: usualRowPx });
  useLayoutEffect(() => {
    const node = scroller.current;
    if (node === null) return;
    const look = () => {
      const row = node.querySelector('tbody tr[aria-rowindex]');
      const rowPx = row?.getBoundingClientRect().height || usualRowPx;
      const next = {
        first: Math.floor(node.scrollTop / rowPx),
        rows: Math.ceil(node.clientHeight / rowPx) + 1,
        rowPx,
      };
      setSeen((last) => (isSame(last, next) ? last : next));
    };
    look();
    node.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(node);
    return () => {
      node.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, []);
  const first = Math.max(0, Math.min(seen.first, rowCount - seen.rows) - beyondRows);
  const end = Math.min(rowCount, Math.max(0, seen.first) + seen.rows + beyondRows);
  const beforePx = first * seen.rowPx;
  return { scroller, first, end, beforePx, afterPx: (rowCount - end) * seen.rowPx };
}

type Seen = Readonly<Record<'first' | 'rows' | 'rowPx', number>>;

function isSame(one: Seen, other: Seen): boolean {
  return one.first === other.first && one.rows === other.rows && one.rowPx === other.rowPx;
}
