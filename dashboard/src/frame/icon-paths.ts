/** Line drawings of 16 by 16, in the colour of the text beside them. */

/** On a square with round corners. */
export const brandPath = 'M4 11V8M8 11V4M12 11V6.5';

export const iconPaths = {
  overview: 'M2 13.5h12M3.5 11V7.5M8 11V3M12.5 11V5.5',
  now:
    'M8 8h.01M5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6' +
    'M2.8 13.2a7.3 7.3 0 0 1 0-10.4M13.2 2.8a7.3 7.3 0 0 1 0 10.4',
  quality: 'M2.5 11.5a5.5 5.5 0 0 1 11 0M8 11.5l2.6-3.4M8 11.5h.01',
  library:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9' +
    'A1.5 1.5 0 0 1 2 11.5zM6.5 6v4L10 8z',
  settings:
    'M2 4.5h5M11 4.5h3M2 11.5h2M8 11.5h6' +
    'M9 4.5m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6 11.5m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  service: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  docs: 'M3 2.5h6.5L13 6v7.5H3zM9.5 2.5V6H13M5.5 8.5h5M5.5 11h5',
  watch: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6.7 5.8v4.4L10.3 8z',
  person: 'M8 8.2a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M2.8 13.8a5.2 5.2 0 0 1 10.4 0',
  choose: 'M5 6.2 8 3.2l3 3M5 9.8l3 3 3-3',
  leave: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
  about: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 7.3v3.4M8 5.2h.01',
  share: 'M8 10V2.5M5 5.2l3-3 3 3M3.5 8v5.5h9V8',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14',
  download: 'M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  add: 'M8 3v10M3 8h10',
} as const;

export type IconName = keyof typeof iconPaths;
