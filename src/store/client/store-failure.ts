/** Classifies failures of the store: outages, damage, a case for the operator, bugs of ours. */
import { ClickHouseError } from '@clickhouse/client';
import { Fault } from '../../vocabulary/faults.ts';

export type FailureKind = 'outage' | 'damage' | 'configuration' | 'mistake';

/**
 * ClickHouse's error codes (https://github.com/ClickHouse/ClickHouse, src/Common/ErrorCodes.cpp).
 * With these the same statement may succeed later, without any change on our side.
 */
export const outageCodes: Readonly<Record<number, string>> = {
  32: 'ATTEMPT_TO_READ_AFTER_EOF',
  33: 'CANNOT_READ_ALL_DATA',
  74: 'CANNOT_READ_FROM_FILE_DESCRIPTOR',
  75: 'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
  76: 'CANNOT_OPEN_FILE',
  77: 'CANNOT_CLOSE_FILE',
  88: 'CANNOT_TRUNCATE_FILE',
  95: 'CANNOT_READ_FROM_SOCKET',
  96: 'CANNOT_WRITE_TO_SOCKET',
  // Servers of a cluster, of which one ends or starts while they begin to speak.
  99: 'UNKNOWN_PACKET_FROM_CLIENT',
  100: 'UNKNOWN_PACKET_FROM_SERVER',
  101: 'UNEXPECTED_PACKET_FROM_CLIENT',
  102: 'UNEXPECTED_PACKET_FROM_SERVER',
  159: 'TIMEOUT_EXCEEDED',
  160: 'TOO_SLOW',
  172: 'CANNOT_CREATE_DIRECTORY',
  173: 'CANNOT_ALLOCATE_MEMORY',
  198: 'DNS_ERROR',
  201: 'QUOTA_EXCEEDED',
  202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  203: 'NO_FREE_CONNECTION',
  204: 'CANNOT_FSYNC',
  209: 'SOCKET_TIMEOUT',
  210: 'NETWORK_ERROR',
  225: 'NO_ZOOKEEPER',
  234: 'NO_REPLICA_HAS_PART',
  236: 'ABORTED',
  241: 'MEMORY_LIMIT_EXCEEDED',
  242: 'TABLE_IS_READ_ONLY',
  243: 'NOT_ENOUGH_SPACE',
  244: 'UNEXPECTED_ZOOKEEPER_ERROR',
  252: 'TOO_MANY_PARTS',
  254: 'NO_ACTIVE_REPLICAS',
  255: 'TOO_MANY_RETRIES_TO_FETCH_PARTS',
  265: 'NO_AVAILABLE_REPLICA',
  279: 'ALL_CONNECTION_TRIES_FAILED',
  285: 'TOO_FEW_LIVE_REPLICAS',
  286: 'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
  289: 'REPLICA_IS_NOT_IN_QUORUM',
  294: 'CANNOT_WRITE_TO_FILE',
  297: 'SHARD_HAS_NO_CONNECTIONS',
  319: 'UNKNOWN_STATUS_OF_INSERT',
  341: 'UNFINISHED',
  364: 'RECEIVED_ERROR_TOO_MANY_REQUESTS',
  369: 'ALL_REPLICAS_ARE_STALE',
  384: 'PART_IS_TEMPORARILY_LOCKED',
  394: 'QUERY_WAS_CANCELLED',
  415: 'ALL_REPLICAS_LOST',
  416: 'REPLICA_STATUS_CHANGED',
  425: 'SYSTEM_ERROR',
  439: 'CANNOT_SCHEDULE_TASK',
  473: 'DEADLOCK_AVOIDED',
  499: 'S3_ERROR',
  519: 'NO_REMOTE_SHARD_AVAILABLE',
  573: 'EPOLL_ERROR',
  574: 'DISTRIBUTED_TOO_MANY_PENDING_BYTES',
  586: 'CANNOT_CREATE_FILE',
  677: 'THREAD_WAS_CANCELED',
  692: 'TOO_MANY_MUTATIONS',
  696: 'ASYNC_LOAD_CANCELED',
  700: 'USER_SESSION_LIMIT_EXCEEDED',
  735: 'QUERY_WAS_CANCELLED_BY_CLIENT',
  738: 'PART_IS_LOCKED',
  745: 'SERVER_OVERLOADED',
  749: 'TCP_CONNECTION_LIMIT_REACHED',
  762: 'HTTP_CONNECTION_LIMIT_REACHED',
  777: 'MEMORY_RESERVATION_KILLED',
  778: 'MEMORY_RESERVATION_FAILED',
  904: 'TOO_MANY_UNAVAILABLE_SHARDS',
  999: 'KEEPER_EXCEPTION',
  // Thrown by the server's libraries: a full disk, a broken connection between servers.
  1000: 'POCO_EXCEPTION',
  1001: 'STD_EXCEPTION',
};

/**
 * With these the store has found its own files damaged, for instance by a merge on a full disk. A
 * server that starts again drops such a part and takes the parts it was merged from.
 */
export const damageCodes: Readonly<Record<number, string>> = {
  40: 'CHECKSUM_DOESNT_MATCH',
  107: 'FILE_DOESNT_EXIST',
  226: 'NO_FILE_IN_DATA_PART',
  246: 'CORRUPTED_DATA',
  271: 'CANNOT_DECOMPRESS',
  // No table of ours names a codec that a release lacks.
  432: 'UNKNOWN_CODEC',
};

/** With these the operator must correct something, here or at the store; then it goes on. */
export const configurationCodes: Readonly<Record<number, string>> = {
  164: 'READONLY',
  192: 'UNKNOWN_USER',
  193: 'WRONG_PASSWORD',
  194: 'REQUIRED_PASSWORD',
  195: 'IP_ADDRESS_NOT_ALLOWED',
  291: 'DATABASE_ACCESS_DENIED',
  497: 'ACCESS_DENIED',
  516: 'AUTHENTICATION_FAILED',
  720: 'USER_EXPIRED',
  774: 'TABLE_IS_PERMANENTLY_READ_ONLY',
};

export function kindOfFailure(cause: unknown): FailureKind {
  if (cause instanceof ClickHouseError) {
    const code = Number(cause.code);
    if (code in outageCodes) return 'outage';
    if (code in damageCodes) return 'damage';
    return code in configurationCodes ? 'configuration' : 'mistake';
  }
  // Broken connections have no ClickHouse code, and some have none at all.
  const isOurs = [TypeError, RangeError, ReferenceError].some((kind) => cause instanceof kind);
  return isOurs ? 'mistake' : 'outage';
}

export function faultOfStore(cause: unknown): Fault {
  switch (kindOfFailure(cause)) {
    case 'outage':
      return unavailable('The statistics store does not answer', cause);
    case 'damage':
      return unavailable('The statistics store has found damaged data: see its log', cause);
    case 'configuration':
      return unavailable('The statistics store refuses the service: see its log', cause);
    case 'mistake':
      return new Fault('INTERNAL', 'Something went wrong here; it has been logged', { cause });
  }
}

/** Whether the store refused the statement itself, so that trying again cannot help. */
export function isStoreMistake(error: unknown): boolean {
  return error instanceof Fault && error.code === 'INTERNAL';
}

/** What an operator needs to know: the fault and the store's own message. */
export function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function unavailable(detail: string, cause: unknown): Fault {
  return new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 1, cause });
}

/* How a store that is not ready appears to callers and to the operator. */

/** Throws UNAVAILABLE if there is a reason, which is the operator's alone. */
export function requireNone(reason: string | undefined): void {
  if (reason === undefined) return;
  const options = { retryAfterSeconds: 1, cause: new Error(reason) };
  throw new Fault('UNAVAILABLE', 'The statistics store is not ready', options);
}

/** The store's own message, for the operator. */
export function saySo(cause: unknown): never {
  throw new Fault('UNAVAILABLE', findReason(cause), { cause });
}
