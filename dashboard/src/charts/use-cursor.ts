import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** Of a keystroke that goes far: so many points, or this part of the chart where that is more. */
const leastJump = 10;
const jumpShare = 1 / 20;

/** The point of a chart that the reader looks at, by pointer or by the arrow keys. */
export function useCursor(
  count: number,
  indexAt: (x: number, event: PointerEvent) => number | undefined,
) {
  const [at, setAt] = useState<number>();
  const within = (index: number) => Math.max(0, Math.min(count - 1, index));
  const jump = Math.max(leastJump, Math.round(count * jumpShare));
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 },
      ...{ PageDown: -jump, PageUp: jump, Home: -count, End: count },
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(within((at ?? (step > 0 ? -1 : count)) + step));
  };
  const onPointerMove = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = indexAt(event.clientX - left, event);
    setAt(index === undefined ? undefined : within(index));
  };
  const leave = () => setAt(undefined);
  return {
    at: at === undefined || at >= count ? undefined : at,
    listeners: { onKeyDown, onPointerMove, onPointerLeave: leave, onBlur: leave },
  };
}
