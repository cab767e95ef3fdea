/** What the browser knows of a film once it has read its beginning. */
export interface Film {
  readonly title: string;
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
}

/** Undefined if the browser cannot read it. */
export async function readFilm(file: File): Promise<Film | undefined> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.preload = 'metadata';
  const isRead = await new Promise<boolean>((resolve) => {
    video.addEventListener('loadedmetadata', () => resolve(true), { once: true });
    video.addEventListener('error', () => resolve(false), { once: true });
    video.src = url;
  });
  const { duration, videoWidth: width, videoHeight: height } = video;
  video.removeAttribute('src');
  URL.revokeObjectURL(url);
  if (!isRead || !Number.isFinite(duration) || width === 0) return undefined;
  return { title: titleOfFile(file), durationMs: Math.round(duration * 1_000), width, height };
}

export function titleOfFile(file: File): string {
  const name = file.name.replace(/\.[^.]+$/, '').normalize('NFC');
  return name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() || file.name;
}
