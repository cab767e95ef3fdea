/** What the page learns about the account of its key: its zone, and the videos it may play. */

/**
 * @typedef {{ title: string, videoKey: string }} Video
 * @typedef {{ packageId: number }} Package
 */

const packagesShown = 10;
const videosShown = 30;

/**
 * The account's zone; undefined where it cannot be had now.
 * @param {URL} base
 * @param {string} key
 * @returns {Promise<string | undefined>}
 */
export async function zoneOf(base, key) {
  return (await get(new URL('watch/account', base), key))?.timeZone;
}

/**
 * The account's videos; undefined where the key may not read them.
 * @param {URL} base
 * @param {string} key
 * @returns {Promise<Video[] | undefined>}
 */
export async function videosOf(base, key) {
  const packages = await get(new URL('info/videopack/package/v1/info.json', base), key);
  if (packages === undefined) return undefined;
  /** @type {Package[]} */
  const first = packages.packageList.slice(0, packagesShown);
  const answers = await Promise.all(
    first.map(({ packageId }) => {
      const question = new URL('info/videopack/package/v1/videos.json', base);
      question.search = new URLSearchParams({
        packageId: String(packageId),
        pageSize: String(videosShown),
      }).toString();
      return get(question, key);
    }),
  );
  return answers
    .flatMap((answer) => answer?.videoInfoList.videoInfoList ?? [])
    .slice(0, videosShown)
    .map(({ title, videoKey }) => ({ title, videoKey }));
}

/**
 * @param {URL} url
 * @param {string} key
 */
async function get(url, key) {
  try {
    const response = await fetch(url, { headers: { 'x-api-key': key }, cache: 'no-store' });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
