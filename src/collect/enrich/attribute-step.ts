import { assert } from '../../lib/assert.ts';
import type { Attributes } from '../../store/facts.ts';
import type { Device, Draft, Step } from '../draft.ts';
import { createClientReader } from './browser/client-reader.ts';
import type { Countries } from './country/countries.ts';
import { createUrlReader } from './page-url.ts';
import type { OperatingSystem } from './system/operating-system-names.ts';
import { createUserAgentRecall } from './user-agent-memory.ts';

export type CountryOf = Countries['countryOf'];

/** `hls.js/1.7.2`. Anything else was not written for it. */
const playerForm = /^[\p{L}@][\p{L}\p{N} ._+@-]{0,47}\/\d[\w.+-]{0,31}$/u;

const reportedAttributes = [
  ...(['country', 'device', 'browser', 'browserVersion'] as const),
  ...(['host', 'page', 'referrer', 'player'] as const),
  ...(['streamType', 'connection', 'quality'] as const),
] as const;

interface Reported
  extends Pick<Draft, 'device' | 'page' | 'referrer' | 'player' | 'streamType' | 'connection'> {
  readonly operatingSystem: OperatingSystem;
  /** Whether its view has told its start. */
  readonly hasStart: boolean;
}

interface AttributeSources {
  readonly countryOf: CountryOf;
  /** Whether the draft's view is known to have reported its start. */
  readonly knowsStart: (draft: Draft) => boolean;
}

/** What the request and the beacon say of the audience; what they leave out is empty. */
export function setAttributes(
  { countryOf, knowsStart }: AttributeSources,
  recall = createUserAgentRecall(),
): Step {
  const readClient = createClientReader(recall);
  const readUrl = createUrlReader();
  const attributesOf = (reported: Reported): Attributes => {
    const { device, operatingSystem, player = '', hasStart } = reported;
    const { streamType = '', connection = '' } = reported;
    const isHinted = operatingSystem.rank !== undefined;
    const client = readClient(device.userAgent, operatingSystem.name);
    const { host, page } = readUrl(reported.page);
    return {
      country: device.country ?? countryOf(device.address),
      device: client.device,
      browser: client.browser,
      browserVersion: client.browserVersion,
      host,
      page,
      referrer: readUrl(reported.referrer).referrer,
      player: playerForm.test(player) ? player : '',
      streamType,
      connection,
      quality: hasStart ? 'reported' : '',
      ...((isHinted || device.country !== undefined) && {
        ranks: { device: isHinted ? 2 : 1, country: device.country === undefined ? 1 : 2 },
      }),
    };
  };
  /** The same object where the User-Agent told the same before: what is made of it is made once. */
  const shared = (made: Attributes, { userAgent = '' }: Device): Attributes => {
    const memory = recall(userAgent);
    if (!memory.attributes || !areEqual(memory.attributes, made)) memory.attributes = made;
    return memory.attributes;
  };
  // The beacons of a request mostly tell the same, and share what was made of it.
  let last: { readonly reported: Reported; readonly attributes: Attributes } | undefined;
  return {
    name: 'set attributes',
    run(draft) {
      const { device, operatingSystem, page, referrer, player, streamType, connection } = draft;
      assert(operatingSystem, 'the system is known before the browser is read');
      // The store says it of all facts of the view; told at once, it need not be written to them.
      const hasStart = draft.quality?.wait?.cause === 'start' || knowsStart(draft);
      if (!last || last.reported.hasStart !== hasStart || !isAlike(last.reported, draft)) {
        const told = { page, referrer, player, streamType, connection };
        const reported = { device, operatingSystem, ...told, hasStart };
        last = { reported, attributes: shared(attributesOf(reported), device) };
      }
      const { attributes } = last;
      draft.attributes = draft.attributes ? { ...draft.attributes, ...attributes } : attributes;
      return undefined;
    },
  };
}

function areEqual(one: Attributes, other: Attributes): boolean {
  return (
    reportedAttributes.every((name) => one[name] === other[name]) &&
    one.ranks?.device === other.ranks?.device &&
    one.ranks?.country === other.ranks?.country
  );
}

/** Of the same request: a later one may come from another country. */
function isAlike(one: Reported, other: Draft): boolean {
  return (
    one.device === other.device &&
    one.operatingSystem === other.operatingSystem &&
    one.page === other.page &&
    one.referrer === other.referrer &&
    one.player === other.player &&
    one.streamType === other.streamType &&
    one.connection === other.connection
  );
}
