import type { BeaconContext, BeaconDraft, Refusal, Step } from '../draft.ts';

export const identifyVideo: Step<BeaconDraft, BeaconContext> = {
  name: 'identify video',
  run(draft, context) {
    const { videoKey, accessKey, packageId } = draft.beacon;
    if (videoKey === undefined && (accessKey === undefined || packageId === undefined)) {
      return invalid('videoKey: is required, or accessKey and packageId with a key');
    }
    if (videoKey !== undefined && (accessKey !== undefined || packageId !== undefined)) {
      return invalid('videoKey: not together with accessKey and packageId');
    }
    const publication = context.find(draft.beacon);
    const { accountId } = context.sender;
    // Another account's video does not exist for a sender with a key.
    if (!publication || (accountId !== undefined && publication.accountId !== accountId)) {
      const name = videoKey === undefined ? 'accessKey, packageId' : 'videoKey';
      return {
        code: 'UNKNOWN_VIDEO',
        detail: `${name}: no such video in a package; copy it from the dashboard`,
      };
    }
    draft.publication = publication;
    return undefined;
  },
};

function invalid(detail: string): Refusal {
  return { code: 'INVALID_BEACON', detail };
}
