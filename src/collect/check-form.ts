import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseInstant } from '../lib/instant.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { Beacon } from '../wire/beacon.ts';
import type { BeaconDraft, Refusal, Sender } from './draft.ts';
import { identifyView } from './identify-view.ts';

// The instant is read below, so that its form is not checked twice.
const form = Compile(Type.Object({ ...Beacon.properties, at: Type.String({ maxLength: 40 }) }));

/** The first step stands apart: it makes the draft out of whatever was received. */
export function checkForm(received: unknown, sender: Sender): Result<BeaconDraft, Refusal> {
  if (!form.Check(received)) return refuse(invalid(firstError(received)));
  const atMs = parseInstant(received.at);
  if (atMs === undefined) return refuse(invalid('at: not an RFC 3339 date-time that exists'));
  const { view, stretch, playMs } = received;
  return accept({
    beacon: received,
    view: identifyView(view),
    stretch,
    atMs,
    playMs,
    plays: stretch === 0 ? 1 : 0,
    // With a key the sender is a server, and the viewer is whom the beacon describes.
    viewer: sender.accountId === undefined ? sender : received,
    facts: [],
  });
}

function firstError(received: unknown): string {
  const [error] = form.Errors(received);
  const member = error?.instancePath.slice(1) || 'beacon';
  return `${member}: ${error?.message ?? 'not valid'}`;
}

function invalid(detail: string): Refusal {
  return { code: 'INVALID_BEACON', detail };
}
