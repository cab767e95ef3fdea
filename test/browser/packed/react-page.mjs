// A page that a server rendered: React takes it over, and renders it again and again as it plays.

import { TrackedVideo } from '@playmeter/tracker/react';
import { createElement, StrictMode, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';

export function Page({ url, videoKey }) {
  const [rendered, render] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => render(rendered + 1), 100);
    return () => clearTimeout(timer);
  }, [rendered]);
  return createElement(TrackedVideo, {
    tracking: { url, videoKey, heartbeatMs: 1_000 },
    src: '/clip.mp4',
    muted: true,
    playsInline: true,
    'data-rendered': rendered,
    ref: (video) => {
      if (video) globalThis.video = video;
    },
  });
}

if (typeof document !== 'undefined') {
  const root = document.getElementById('root');
  const page = createElement(StrictMode, undefined, createElement(Page, { ...root.dataset }));
  const hydrated = hydrateRoot(root, page);
  globalThis.leave = () => hydrated.unmount();
}
