/** Opens places of backups and exports by the configuration. */
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { folderPlace } from '../../maintenance/storage/folder-storage.ts';
import type { S3Access } from '../../maintenance/storage/s3-client.ts';
import { s3Place, s3Scheme } from '../../maintenance/storage/s3-storage.ts';
import type { Place } from '../../maintenance/storage/storage-target.ts';
import { Fault } from '../../vocabulary/faults.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
}

/** A folder by its path, or `s3://bucket/prefix`. */
export function openConfiguredPlace(around: Configured, location: string): Place {
  return openPlace(location, readAccess(around));
}

function readAccess({ config, clock }: Configured): S3Access | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: config.AWS_SESSION_TOKEN,
    region: config.AWS_REGION,
    endpoint: config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL,
    clock,
  };
}

/** `access`: undefined if no credentials are configured. */
export function openPlace(location: string, access: S3Access | undefined): Place {
  if (!location.startsWith(s3Scheme)) return folderPlace(location);
  if (access) return s3Place(location, access);
  const names = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  throw new Fault('CONFLICT', `${location} needs credentials: set ${names}`);
}
