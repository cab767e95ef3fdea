import { isIP } from 'node:net';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import { parseInstant } from '../../../lib/time/instant.ts';
import { numberOfWait } from '../../../vocabulary/waits.ts';
import { Beacon, instantLimitChars } from '../../../wire/beacons/beacon.ts';
import type { BeaconContext, BeaconDraft, Device, Refusal, Sender, Step } from '../../draft.ts';
import { readQuality } from '../../enrich/quality-step.ts';
import { identifyView } from '../../steps/view-identity.ts';

// The instant is read below, so that its form is not checked twice.
const at = Type.String({ maxLength: instantLimitChars });
const form = Compile(Type.Object({ ...Beacon.properties, at }));

/** The first step is special: it makes the draft from whatever was received. */
export function checkForm(received: unknown, sender: Sender): Result<BeaconDraft, Refusal> {
  if (!form.Check(received)) return refuse(invalid(firstError(received)));
  const atMs = parseInstant(received.at);
  if (atMs === undefined) return refuse(invalid('at: not an RFC 3339 date-time that exists'));
  const misplaced = misplacedMember(received);
  if (misplaced !== undefined) return refuse(invalid(misplaced));
  const { view, stretch = numberOfWait(received.wait ?? 0), playMs = 0 } = received;
  const { position, mediaMs, address, streamType, connection } = received;
  const { page, referrer, player, viewer: reportedViewer } = received;
  if (address !== undefined && isIP(address) === 0) {
    return refuse(invalid('address: not an IP address'));
  }
  return accept({
    beacon: received,
    view: identifyView('beacon', view),
    stretch,
    atMs,
    playMs,
    plays: stretch === 0 ? 1 : 0,
    position,
    mediaMs,
    page,
    referrer,
    player,
    streamType,
    connection,
    quality: readQuality(received),
    reportedViewer,
    device: readDevice(received, sender),
    facts: [],
  });
}

const ofStretches = [
  ...(['playMs', 'position', 'mediaMs', 'mediaBits', 'frames', 'droppedFrames'] as const),
] as const;
const ofWaits = ['waitMs', 'cause', 'outcome', 'error'] as const;

/** What is wrong with the members of a stretch, or of a wait; undefined: nothing. */
function misplacedMember(beacon: Beacon): string | undefined {
  const { stretch, wait } = beacon;
  if (wait !== undefined) {
    if (stretch !== undefined) return 'wait: not together with stretch';
    return wrongInWait(beacon, wait);
  }
  if (stretch === undefined) return 'stretch: is required, or wait';
  if (beacon.playMs === undefined) return 'playMs: is required';
  const stray = ofWaits.find((name) => beacon[name] !== undefined);
  if (stray) return `${stray}: only with wait`;
  const { frames = 0, droppedFrames = 0 } = beacon;
  return droppedFrames > frames ? 'droppedFrames: must not be more than frames' : undefined;
}

function wrongInWait(beacon: Beacon, wait: number): string | undefined {
  const missing = (['waitMs', 'cause', 'outcome'] as const).find(
    (name) => beacon[name] === undefined,
  );
  if (missing) return `${missing}: is required`;
  const stray = ofStretches.find((name) => beacon[name] !== undefined);
  if (stray) return `${stray}: only with stretch`;
  const { cause, outcome, error } = beacon;
  if ((wait === 0) !== (cause === 'start')) {
    return `cause: ${wait === 0 ? 'must be start for wait 0' : 'start is wait 0 alone'}`;
  }
  // A wait that failed keeps its error when it has played in the end.
  const mayHaveError = outcome === 'failed' || outcome === 'played' || cause === 'error';
  if (error === undefined || mayHaveError) return undefined;
  return 'error: only with failed, played or cause error';
}

function readDevice(beacon: Beacon, sender: Sender): Device {
  const { platform, platformVersion } = beacon;
  if (sender.accountId !== undefined) {
    // With a key the sender is a server, and only the beacon describes the device.
    const { userAgent, address } = beacon;
    return { userAgent, platform, platformVersion, address };
  }
  if (!platform && !platformVersion) return sender;
  const { userAgent, address, country, wantsNoTracking } = sender;
  const described = { userAgent, address, country, wantsNoTracking };
  // The header's version is that of the header's platform, not of one that the beacon names.
  if (platform) return { ...described, platform, platformVersion };
  return { ...described, platform: sender.platform, platformVersion };
}

function firstError(received: unknown): string {
  // A line of an import that is not JSON: JSON has no `undefined`.
  if (received === undefined) return 'beacon: not valid JSON';
  const [error] = form.Errors(received);
  if (error?.keyword === 'required') {
    return `${error.params.requiredProperties[0]}: is required`;
  }
  const member = error?.instancePath.slice(1);
  return member ? `${member}: ${error?.message}` : 'beacon: must be a JSON object';
}

function invalid(detail: string): Refusal {
  return { code: 'INVALID_BEACON', detail };
}

const keyedMembers = ['accessKey', 'packageId', 'userAgent', 'address'] as const;

/** Refuses what only a sender with a collect:write key may say. */
export const checkAuthority: Step<BeaconDraft> = {
  name: 'check authority',
  run({ beacon }, { sender }) {
    if (sender.accountId !== undefined) return undefined;
    const member = keyedMembers.find((name) => beacon[name] !== undefined);
    if (!member) return undefined;
    return { code: 'KEY_REQUIRED', detail: `${member}: needs an API key with collect:write` };
  },
};

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
