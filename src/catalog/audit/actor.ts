import type { Actor } from '../audit.ts';

/** As rows name who made a change. */
export function describeActor(actor: Actor): { actor: string; actorName: string } {
  switch (actor.kind) {
    case 'KEY':
      return { actor: `KEY:${actor.keyId}`, actorName: actor.keyName };
    case 'COMMAND_LINE':
      return { actor: 'COMMAND_LINE', actorName: actor.userName };
    case 'SERVICE':
      return { actor: 'SERVICE', actorName: '' };
  }
}
