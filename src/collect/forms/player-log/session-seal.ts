/**
 * Sessions that only this service can have given: half of the `uid` is random, the other half
 * authenticates it together with the video and `cs`. It looks like any UUID, so that players send
 * it back unchanged. See docs/decisions/sealed-sessions.md.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PublicationNumbers } from '../../../catalog/catalog.ts';

/** Never changes: players keep what was sealed for it for hours. */
const sealedFor = 'playmeter player log session v1';
const keyBytes = 32;
const randomHalfBytes = 8;
/** A UUID of version 8: its bits have a meaning of their own. */
const form = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

export interface Session extends PublicationNumbers {
  /** Start of the session, yyyyMMddhhmmss. */
  readonly cs: string;
}

export interface SessionSeal {
  /** A new `uid` for this session. */
  draw(session: Session): string;
  /** Whether `draw` gave this `uid`, in lower case, for this session, on any node. */
  isOf(session: Session, uid: string): boolean;
}

export function createSessionSeal(secret: string): SessionSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', sealedFor, keyBytes));

  function createUid({ accountId, packageId, videoId, cs }: Session, half: Buffer): Buffer {
    half.writeUInt8((half.readUInt8(6) & 0x0f) | 0x80, 6);
    const sealed = `${accountId} ${packageId} ${videoId} ${cs} ${half.toString('hex')}`;
    const seal = createHmac('sha256', key).update(sealed).digest().subarray(0, randomHalfBytes);
    seal.writeUInt8((seal.readUInt8(0) & 0x3f) | 0x80, 0);
    return Buffer.concat([half, seal]);
  }

  return {
    draw(session) {
      const hex = createUid(session, randomBytes(randomHalfBytes)).toString('hex');
      return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },

    isOf(session, uid) {
      if (!form.test(uid)) return false;
      const bytes = Buffer.from(uid.replaceAll('-', ''), 'hex');
      return timingSafeEqual(
        createUid(session, Buffer.from(bytes.subarray(0, randomHalfBytes))),
        bytes,
      );
    },
  };
}
