/** Finds the videos that beacons name. */
import type { Publication, Publications } from '../../catalog/catalog.ts';
import type { Result } from '../../lib/result.ts';
import type { BeaconContext, BeaconDraft, Refusal, Sender } from '../draft.ts';

type Forms = readonly Result<BeaconDraft, Refusal>[];

/** Asks the catalog once for all the videos of a batch. Rarely a promise. */
export function findPublications(
  publications: Publications,
  forms: Forms,
  { accountId }: Sender,
): Promise<BeaconContext['find']> | BeaconContext['find'] {
  if (accountId !== undefined) return findWithin(publications, forms, accountId);
  const found = publications.identify(listVideoKeys(forms));
  return found instanceof Promise ? found.then(finding) : finding(found);
}

function finding(byVideoKey: ReadonlyMap<string, Publication>): BeaconContext['find'] {
  return ({ videoKey }) => (videoKey === undefined ? undefined : byVideoKey.get(videoKey));
}

/** Senders with a key may name videos as their account does. */
async function findWithin(
  publications: Publications,
  forms: Forms,
  accountId: number,
): Promise<BeaconContext['find']> {
  const byPair = new Map<string, Publication | undefined>();
  for (const form of forms) {
    if (!form.ok) continue;
    const { accessKey, packageId } = form.value.beacon;
    if (accessKey === undefined || packageId === undefined) continue;
    const pair = pairKey(accessKey, packageId);
    if (byPair.has(pair)) continue;
    byPair.set(pair, await publications.identifyWithin(accountId, accessKey, packageId));
  }
  const find = finding(await publications.identify(listVideoKeys(forms)));
  return (beacon) => {
    const { videoKey, accessKey = '', packageId = 0 } = beacon;
    return videoKey === undefined ? byPair.get(pairKey(accessKey, packageId)) : find(beacon);
  };
}

/** Beacons one after another are mostly of one video. */
function listVideoKeys(forms: Forms): string[] {
  const videoKeys: string[] = [];
  for (const form of forms) {
    const videoKey = form.ok ? form.value.beacon.videoKey : undefined;
    if (videoKey !== undefined && videoKey !== videoKeys.at(-1)) videoKeys.push(videoKey);
  }
  return videoKeys;
}

function pairKey(accessKey: string, packageId: number): string {
  return `${packageId} ${accessKey}`;
}
