/** Connections that take room and send next to nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { besiege, besiegeMemory, unsentOf } from './siege.ts';
import { stranger, strangersAgent } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

/** What the service keeps open besides: files, its stores, the connections of bystanders. */
const spareDescriptors = 200;
const closedWithinMs = 30_000;

export const manyConnections: Attack = {
  name: 'many-connections',
  does: '3 processes with 7,500 connections each, of one byte; first from 3 addresses, then from 3,000',
  wanted:
    'connections bounded below the limit of descriptors; who is connected goes on, others may come ' +
    'as long as it is few addresses that flood; no descriptor stays open afterwards',
  seatsBystanders: true,
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
    const fewHeld = await few.look();
    const ofFew = target.descriptors();
    await few.end();
    const seenBesideFew = await fewAddresses.leave();

    const connected = await addVictim(target);
    const manyAddresses = await seatBystanders(stage, target, connected, { newcomers: false });
    const many = await besiege(target, connections, (attacker) =>
      Array.from({ length: 1_000 }, (_, n) => `127.${attacker + 2}.${n >> 8}.${n & 255}`),
    );
    await sleep(stage.isLong ? 10_000 : 1_000);
    const manyHeld = await many.look();
    const ofMany = target.descriptors();
    await many.end();
    const seenBesideMany = await manyAddresses.leave();

    const isClosed = () => target.descriptors() <= before + spareDescriptors;
    await waitUntil('descriptors to be closed', isClosed, closedWithinMs).catch(() => {});
    const left = target.descriptors() - before;
    return {
      measured:
        `few addresses: ${fewHeld.open} connections held, ${ofFew} descriptors, others ` +
        `${canConnect ? 'answered' : 'cut off'}, ${seenBesideFew.measured}; many addresses: ` +
        `${manyHeld.open} held, ${ofMany} descriptors, ${seenBesideMany.measured}; ${left} left open`,
      wrong: [
        ...seenBesideFew.wrong,
        ...seenBesideMany.wrong,
        ...unsentOf(fewHeld, connections),
        ...unsentOf(manyHeld, connections),
        ...wrongIn({
          'no connection was held': fewHeld.open === 0 || manyHeld.open === 0,
          [`${Math.max(ofFew, ofMany)} descriptors`]: Math.max(ofFew, ofMany) >= descriptors - 10,
          'others were cut off by few addresses': !canConnect,
          [`${left} descriptors left open`]: left > spareDescriptors,
          'the service ended': !target.isRunning(),
        }),
      ],
    };
  },
};

async function isAnswered(target: Target, address: string): Promise<boolean> {
  const other = stranger(target, { address });
  const answer = await Promise.race([other.send({ path: '/healthz' }), sleep(10_000)]);
  other.close();
  return answer?.status === 200;
}

const announcedBytes = 1_048_576;
const head = headWith(`content-length: ${announcedBytes}`);

function headWith(header: string): string {
  return [
    'POST /collect/v1/beacons HTTP/1.1',
    'host: 127.0.0.1',
    `user-agent: ${strangersAgent}`,
    'content-type: text/plain',
    header,
  ].join('\r\n');
}

export const slowBodies: Attack = {
  name: 'slow-bodies',
  does: '1,500 requests that announce 1 MiB of beacons, send an eighth, and stop',
  wanted: 'memory bounded, players beside them counted and answered',
  seatsBystanders: true,
  strike: (stage) =>
    besiegeMemory(stage, {
      connections: stage.isLong ? 500 : 60,
      heldMs: stage.isLong ? 5_000 : 500,
      network: 6,
      sent: { text: `${head}\r\n\r\n`, rest: { text: ' ', times: announcedBytes / 8 } },
    }),
};

export const bytesInChunks: Attack = {
  name: 'bytes-in-chunks',
  does: '150 requests with 16,000 bytes of beacons, each byte in a chunk of its own, that stop',
  wanted: 'memory bounded, players beside them counted and never refused',
  seatsBystanders: true,
  strike: (stage) =>
    besiegeMemory(stage, {
      connections: stage.isLong ? 50 : 20,
      heldMs: stage.isLong ? 10_000 : 2_000,
      network: 18,
      mostGrownMb: 100,
      sent: {
        text: `${headWith('transfer-encoding: chunked')}\r\n\r\n`,
        rest: { text: '1\r\n \r\n', times: 16_000 },
      },
    }),
};
