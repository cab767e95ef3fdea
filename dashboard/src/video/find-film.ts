import { server } from '../server.ts';

/** By the first of its packages; null if it is in none. */
export async function findFilm(accessKey: string, signal: AbortSignal) {
  const [first] = await server.manage.publicationsOf(accessKey, { signal });
  if (first === undefined) return null;
  const { packageId } = first;
  const { videoUrl } = await server.information.video({ accessKey, packageId }, { signal });
  return { videoUrl };
}
