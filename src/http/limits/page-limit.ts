/**
 * Bounds what pages, scripts and media take: anybody may ask for them, and many are large. They
 * have a limit by address, and take turns, so that a player waits for a single one at most.
 */
import type { FastifyInstance } from 'fastify';
import { createFairTurns } from '../../lib/tasks/fair-turns.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import type { AddressLimit } from './address-limit.ts';

interface PageBounds {
  readonly pageLimit: AddressLimit;
  readonly addressOf: SenderAddress;
}

/** A turn takes in one new connection: players who come wait for an eighth as many pages. */
const everyTurns = 8;

/** For all routes of this scope. */
export function boundPages(pages: FastifyInstance, { pageLimit, addressOf }: PageBounds): void {
  const takeTurn = createFairTurns(everyTurns);
  pages.addHook('onRequest', async (request, reply) => {
    // Who is refused waits too: a refusal costs nearly as much as a small page.
    await takeTurn();
    await pageLimit(addressOf(request.raw), reply.raw);
  });
}
