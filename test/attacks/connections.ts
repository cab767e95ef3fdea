/** Connections that take room and send next to nothing. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import type { ConnectionPlan } from './open-connections.ts';
import { stranger, strangersAgent } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

const program = join(import.meta.dirname, 'open-connections.ts');
const attackers = 3;
/** What the service keeps open besides: files, its stores, the connections of bystanders. */
const spareDescriptors = 200;
const closedWithinMs = 30_000;

export const manyConnections: Attack = {
  name: 'many-connections',
  does: '3 processes with 7,500 connections each, of one byte; first from 3 addresses, then from 3,000',
  wanted:
    'connections bounded below the limit of descriptors; who is connected goes on, others may come ' +
    'as long as it is few addresses that flood; no descriptor stays open afterwards',
  async strike(stage): Promise<Struck> {
    const descriptors = stage.isLong ? 20_000 : 2_048;
    const connections = stage.isLong ? 7_500 : 900;
    const target = await stage.start({ descriptors });
    const victim = await addVictim(target);
    const before = target.descriptors();

    const fewAddresses = await seatBystanders(stage, target, victim);
    const few = await besiege(target, connections, (attacker) => [`127.0.1.${attacker + 1}`]);
    const canConnect = await isAnswered(target, '127.0.3.1');
    await sleep(stage.isLong ? 10_000 : 1_000);
    const fewOpen = await few.open();
    const ofFew = target.descriptors();
    await few.end();
    const seenBesideFew = await fewAddresses.leave();

    const connected = await addVictim(target);
    const manyAddresses = await seatBystanders(stage, target, connected, { newcomers: false });
    const many = await besiege(target, connections, (attacker) =>
      Array.from({ length: 1_000 }, (_, n) => `127.${attacker + 2}.${n >> 8}.${n & 255}`),
    );
    await sleep(stage.isLong ? 10_000 : 1_000);
    const manyOpen = await many.open();
    const ofMany = target.descriptors();
    await many.end();
    const seenBesideMany = await manyAddresses.leave();

    const isClosed = () => target.descriptors() <= before + spareDescriptors;
    await waitUntil('descriptors to be closed', isClosed, closedWithinMs).catch(() => {});
    const left = target.descriptors() - before;
    return {
      measured:
        `few addresses: ${fewOpen} connections held, ${ofFew} descriptors, others ` +
        `${canConnect ? 'answered' : 'cut off'}, ${seenBesideFew.measured}; many addresses: ` +
        `${manyOpen} held, ${ofMany} descriptors, ${seenBesideMany.measured}; ${left} left open`,
      wrong: [
        ...seenBesideFew.wrong,
        ...seenBesideMany.wrong,
        ...wrongIn({
          [`${Math.max(ofFew, ofMany)} descriptors`]: Math.max(ofFew, ofMany) >= descriptors - 10,
          'others were cut off by few addresses': !canConnect,
          [`${left} descriptors left open`]: left > spareDescriptors,
          'the service ended': !target.isRunning(),
        }),
      ],
      slow: [...seenBesideFew.refused, ...seenBesideMany.refused],
    };
  },
};

/** Resolves when all attackers have opened what they could, and sent the text on each. */
export async function besiege(
  { port }: Target,
  connections: number,
  addressesOf: (attacker: number) => readonly string[],
  sent: Pick<ConnectionPlan, 'text' | 'padding' | 'isDeaf'> = { text: 'G' },
) {
  const besiegers = await Promise.all(
    Array.from({ length: attackers }, async (_, attacker) => {
      const addresses = addressesOf(attacker);
      const plan: ConnectionPlan = { port, connections, addresses, ...sent };
      const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const answers = createInterface({ input: child.stdout });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const next = (): Promise<number> =>
        new Promise((resolve) => {
          answers.once('line', (line) => resolve(Number(line)));
          ended.then(() => resolve(0));
        });
      await next();
      return {
        open(): Promise<number> {
          const answer = next();
          child.stdin.write('\n');
          return answer;
        },
        end(): Promise<void> {
          child.stdin.end();
          return ended;
        },
      };
    }),
  );
  return {
    /** How many of the connections are open by now. */
    async open(): Promise<number> {
      const counts = await Promise.all(besiegers.map(({ open }) => open()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async end(): Promise<void> {
      await Promise.all(besiegers.map(({ end }) => end()));
    },
  };
}

async function isAnswered(target: Target, address: string): Promise<boolean> {
  const other = stranger(target, { address });
  const answer = await Promise.race([other.send({ path: '/healthz' }), sleep(10_000)]);
  other.close();
  return answer?.status === 200;
}

export const slowBodies: Attack = {
  name: 'slow-bodies',
  does: '1,500 requests that announce 1 MiB of beacons, send an eighth, and stop',
  wanted: 'memory bounded, players beside them counted and answered',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({});
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const beforeMb = target.residentMb();
    const announcedBytes = 1_048_576;
    const head = [
      'POST /collect/v1/beacons HTTP/1.1',
      'host: 127.0.0.1',
      `user-agent: ${strangersAgent}`,
      'content-type: text/plain',
      `content-length: ${announcedBytes}`,
    ].join('\r\n');
    const connections = stage.isLong ? 500 : 60;
    // From many addresses: what one of them may hold open is another matter.
    const siege = await besiege(
      target,
      connections,
      (attacker) => Array.from({ length: 200 }, (_, number) => `127.${attacker + 6}.0.${number}`),
      { text: `${head}\r\n\r\n`, padding: announcedBytes / 8 },
    );
    await sleep(stage.isLong ? 5_000 : 500);
    const grownMb = target.residentMb() - beforeMb;
    const held = await siege.open();
    await siege.end();
    const seen = await bystanders.leave();
    return {
      measured: `${held} held, memory ${Math.round(grownMb)} MB more; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({ [`memory grew by ${Math.round(grownMb)} MB`]: grownMb > 300 }),
      ],
      slow: seen.refused,
    };
  },
};
