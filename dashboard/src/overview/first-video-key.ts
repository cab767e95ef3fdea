import { server } from '../server.ts';

/** Packages that are looked into: each takes a question. */
const mostPackages = 10;

/** Of any video in one of the newest packages; null if there is none. */
export async function firstVideoKey(signal: AbortSignal): Promise<string | null> {
  const options = { signal };
  const { list } = await server.manage.packages({ pageSize: mostPackages }, options);
  for (const { packageId } of list) {
    const [first] = (await server.manage.publications(packageId, { pageSize: 1 }, options)).list;
    if (first) return first.videoKey;
  }
  return null;
}
