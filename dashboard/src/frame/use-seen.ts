/** Whether an element has been in sight: what is far down is asked for by whoever gets there. */
import { useEffect, useRef, useState } from 'react';

export function useSeen<Frame extends Element>() {
  const frame = useRef<Frame>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, isSeen] as const;
}
