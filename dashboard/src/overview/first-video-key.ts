import { server } from '../server.ts';

/** Of any video in any package; null if there is none. */
export async function firstVideoKey(signal: AbortSignal): Promise<string | null> {
  const options = { signal };
  for (const { packageId } of (await server.manage.packages({}, options)).list) {
    const [first] = (await server.manage.publications(packageId, { pageSize: 1 }, options)).list;
    if (first) return first.videoKey;
  }
  return null;
}
