/** The rooms of requests that the framework reads: taken before their bodies, left at the end. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Room } from '../../collect/collector.ts';

export interface Rooms {
  /** Call it before the body is read. The room is left when the request is answered or aborted. */
  keep(request: FastifyRequest, reply: FastifyReply, room: Room): void;
  /** Resolves to the room when it is the turn of the request, whose body has been read. */
  arrived(request: FastifyRequest): Promise<Room | undefined>;
}

export function createRooms(): Rooms {
  const rooms = new WeakMap<FastifyRequest, Room>();
  return {
    keep(request, reply, room) {
      rooms.set(request, room);
      reply.raw.once('close', room.leave);
    },
    async arrived(request) {
      const room = rooms.get(request);
      await room?.arrived();
      return room;
    },
  };
}
