// Compiled against the packages as they are installed, to see that they bring their types.
import { Playmeter } from '@playmeter/client';
import { type Tracking, type TrackOptions, track } from '@playmeter/tracker';
import { observe as observeDash } from '@playmeter/tracker/dashjs';
import { observe as observeHls } from '@playmeter/tracker/hlsjs';
import { TrackedVideo, useTracking } from '@playmeter/tracker/react';
import { observe as observeShaka } from '@playmeter/tracker/shaka';
import { observe as observeVideoJs } from '@playmeter/tracker/videojs';
import { createElement } from 'react';

const options: TrackOptions = { url: 'https://media.example.org', videoKey: 'key' };

export function trackFirst(): Tracking | undefined {
  const video = document.querySelector('video');
  return video ? track(video, options) : undefined;
}

export const adapters = [observeHls, observeDash, observeShaka, observeVideoJs];

export function Player() {
  const ref = useTracking(options);
  // @ts-expect-error: it has to know where the server is
  createElement(TrackedVideo, { tracking: { videoKey: 'key' } });
  return [
    createElement('audio', { ref, key: 'audio' }),
    createElement(TrackedVideo, { tracking: options, src: 'film.mp4', key: 'video' }),
  ];
}

export async function plays(): Promise<readonly string[]> {
  const client = new Playmeter({ url: options.url, key: 'pm_1' });
  const page = await client.statistics.date({ sdate: '2026-11-01', edate: '2026-11-30' });
  return page.rows.map((row) => row.videoCount);
}
