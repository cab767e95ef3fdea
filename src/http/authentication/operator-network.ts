/** Who may read what is for the operator without a key: by the network of the request. */
import type { IncomingMessage } from 'node:http';
import type { Networks } from '../../lib/network/network-list.ts';
import type { FindSender } from '../server/sender-address.ts';

export type IsOperator = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

interface OperatorParts {
  readonly isOperatorNetwork: Networks;
  readonly findSender: FindSender;
  /** Whether the other end of a connection is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
}

const headersOfProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

export function recognizeOperator(parts: OperatorParts): IsOperator {
  const { isOperatorNetwork, findSender, isProxy } = parts;
  return (request) => {
    const { headers, socket } = request;
    // Behind a proxy that is not trusted, everybody seems to come from its address.
    const isBehindOne = headersOfProxies.some((name) => headers[name] !== undefined);
    if (isBehindOne && !isProxy(socket.remoteAddress ?? '')) return false;
    // An address that is not certain is that of a proxy, which may well be in these networks.
    const { address, isCertain } = findSender(request);
    return isCertain && isOperatorNetwork(address);
  };
}
