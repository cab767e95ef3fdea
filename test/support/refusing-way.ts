/** A way to the bundled engine on which it takes everybody for one with a wrong password. */
import { request } from 'node:http';
import type { EngineAccess } from '../../src/engine/running-engine.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** The engine answers nobody without its password; what has it may be sent on as another. */
export function openRefusingWay(engine: EngineAccess): Promise<LocalServer> {
  return startLocalServer((incoming, answer) => {
    const wrong = `${incoming.url}&user=${engine.username}&password=wrong`;
    const { method, headers } = incoming;
    const passOn = request(engine.url + wrong, { method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 0, from.headers);
      from.pipe(answer);
    });
    incoming.pipe(passOn);
  });
}
