/** What a page says of a view, made into what all its beacons have in common. */
import type { ViewDescription } from '../../client/src/sender/beacon.ts';

export interface ViewOptions {
  readonly videoKey: string;
  /** By which your server vouches for this view; see docs/signed-views.md. */
  readonly token?: string | undefined;
  /** Your own identity of this view, at most 64 characters; default: random digits. */
  readonly view?: string | undefined;
  /** Your own name of the viewer, at most 64 characters. Not sent with Global Privacy Control. */
  readonly viewer?: string | undefined;
  /** The player, as `name/version`, at most 64 characters. */
  readonly player?: string | undefined;
  /** At most 5 labels of your account, with values of at most 64 characters; or a query string. */
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
}

/** The server would refuse a beacon with longer texts, and leave further labels out. */
const labelsLimit = 5;
const textLimit = 64;

/** As it is now: call it once a view. What is empty is undefined, and so not sent. */
export function describeView(
  { videoKey, token, viewer, player, labels }: ViewOptions,
  view: string,
): ViewDescription {
  const { globalPrivacyControl, connection = {} } = navigator as {
    globalPrivacyControl?: boolean;
    connection?: { effectiveType?: string };
  };
  let kept: Record<string, string> | undefined;
  for (const [name, value] of [...new URLSearchParams(labels)].slice(0, labelsLimit)) {
    // Too long, the server refuses it and says so; a character is two code units at most.
    const label = value.slice(0, 2 * textLimit + 1);
    if (label) kept = { ...kept, [name]: label };
  }
  return {
    view,
    videoKey,
    token,
    viewer: textOf(!globalPrivacyControl && viewer),
    player: textOf(player),
    labels: kept,
    // A file has no host, and its path may name a person.
    page: location.host ? location.origin + location.pathname : undefined,
    connection: connection.effectiveType,
    referrer: document.referrer.split('/', 3).join('/') || undefined,
  };
}

/** Of a number, too: pages give what they have. */
function textOf(value: unknown): string | undefined {
  const text = `${value || ''}`;
  return (text.length <= textLimit && text) || undefined;
}
