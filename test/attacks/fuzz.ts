/** Bad requests of every kind, to every path that the service describes. */
import fc from 'fast-check';
import {
  type AnyRequest,
  anyRequest,
  complaintAbout,
  type DescribedInterface,
} from '../support/any-request.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { all, type Stranger, statusesOf, stranger } from './stranger.ts';
import { addVictim } from './victim.ts';

const atOnce = 24;
/** What is tried is what requests are answered, not how many of them. */
const withoutLimits = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  COLLECT_LIMIT_PER_MINUTE: '100000000',
  MANAGE_LIMIT_PER_MINUTE: '1000000',
  WRONG_KEY_LIMIT_PER_MINUTE: '1000000',
};

export const fuzz: Attack = {
  name: 'fuzz',
  does: '20,000 requests of bad methods, paths, headers, bodies and encodings to every address of /openapi.json',
  wanted: 'no 5xx, no hang, no word about the inside',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({ environment: withoutLimits });
    const { key } = await addVictim(target);
    const response = await fetch(`${target.url}/openapi.json`);
    const document = (await response.json()) as DescribedInterface;
    const numRuns = stage.isLong ? 20_000 : 600;
    const requests = fc.sample(anyRequest(document), { numRuns, seed: stage.seed });
    const one = stranger(target, { address: stage.address(), connections: atOnce });
    const complaints: string[] = [];
    const answers = await all(requests, atOnce, async (request) => {
      const first = await sendAny(one, request, key);
      // A connection that the service closes just then is no answer, but no hang either.
      const hit = first.status === 0 ? await sendAny(one, request, key) : first;
      const complaint = complaintAbout(hit);
      const shown = JSON.stringify(request).slice(0, 400);
      if (complaint) complaints.push(`${complaint}: ${shown} ${hit.text.slice(0, 200)}`);
      return hit;
    });
    const { status } = await one.send({ path: '/healthz' });
    one.close();
    const statuses = statusesOf(answers);
    return {
      measured: `${numRuns} requests, seed ${stage.seed}: ${JSON.stringify(statuses)}`,
      wrong: [
        ...complaints.slice(0, 10),
        ...wrongIn({
          [`answered ${status} afterwards`]: status !== 200,
          // It would show nothing if all were refused at the door.
          [`only ${statuses[200]} were answered well`]: (statuses[200] ?? 0) < numRuns / 100,
          [`only ${statuses[400]} were looked at`]: (statuses[400] ?? 0) < numRuns / 100,
        }),
      ],
    };
  },
};

async function sendAny(one: Stranger, { method, path, headers, body }: AnyRequest, key: string) {
  const isKeyed = headers['x-api-key'] === 'KEY';
  const answer = await one.send({
    method,
    path,
    headers: isKeyed ? { ...headers, 'x-api-key': key } : headers,
    ...(body === undefined ? {} : { body }),
  });
  const { status, text } = answer;
  return { status, text, type: answer.headers['content-type'] ?? '' };
}
