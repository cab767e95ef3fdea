/**
 * A node of one role answers only its own paths. Others exist, at another node: so 503, after
 * which balancers ask the next one and players keep what they have, and never 404.
 */
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../vocabulary/faults.ts';
import type { Role } from '../../vocabulary/roles.ts';
import { forPlayers } from '../server/security-headers.ts';

const forOperators = /^\/(?:healthz|readyz|metrics)$/;
const retryAfterSeconds = 2;

export function collects(role: Role): boolean {
  return role === 'all' || role === 'collect';
}

export function reports(role: Role): boolean {
  return role === 'all' || role === 'report';
}

export function rollsUp(role: Role): boolean {
  return role === 'all' || role === 'roll-up';
}

/** Before anything is counted or read. */
export function answerByRole(app: FastifyInstance, role: Role): void {
  if (role === 'all') return;
  app.addHook('onRequest', async ({ is404, routeOptions: { url = '' } }) => {
    if (is404 || forOperators.test(url)) return;
    const isForPlayers = forPlayers.test(url);
    if (isForPlayers ? collects(role) : reports(role)) return;
    const other = isForPlayers ? 'collect' : 'report';
    const detail =
      `This node has the role ${role} and does not answer here: ` +
      `send such requests to nodes with the role ${other} or all`;
    throw new Fault('UNAVAILABLE', detail, { retryAfterSeconds, reason: 'role' });
  });
}
