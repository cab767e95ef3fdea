/** The names under which media are kept in the content folder and served from it. */

/** Of the containers that are read, the most common first. */
export const containerNames = ['mp4', 'mov', 'webm', 'mkv', 'ts'] as const;
export type ContainerName = (typeof containerNames)[number];

export const mediaFileName = (videoId: number, container: ContainerName): string =>
  `${videoId}.${container}`;

/** In the content folder, and in its URL. */
export const thumbnailFolder = 'thumbnails';

/** Named after the picture's own bytes: nobody can guess it, and it may be kept for ever. */
export const thumbnailName = /^[A-Za-z0-9_-]{22}\.(jpg|png)$/;

/** The URLs of all thumbnails kept here start with it. */
export const thumbnailsUrl = (publicUrl: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/content/${thumbnailFolder}/`;
