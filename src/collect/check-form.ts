import { Compile } from 'typebox/compile';
import { parseInstant } from '../lib/instant.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { Beacon } from '../wire/beacon.ts';
import type { Draft, Refusal } from './draft.ts';

const form = Compile(Beacon);

/** The first step stands apart: it makes the draft out of whatever was received. */
export function checkForm(received: unknown): Result<Draft, Refusal> {
  if (!form.Check(received)) return refuse(invalid(firstError(received)));
  const atMs = parseInstant(received.at);
  if (atMs === undefined) return refuse(invalid('at: not an RFC 3339 date-time that exists'));
  return accept({ beacon: received, atMs, facts: [] });
}

function firstError(received: unknown): string {
  const [error] = form.Errors(received);
  const member = error?.instancePath.slice(1) || 'beacon';
  return `${member}: ${error?.message ?? 'not valid'}`;
}

function invalid(detail: string): Refusal {
  return { code: 'INVALID_BEACON', detail };
}
