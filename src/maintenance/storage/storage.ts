import { Fault } from '../../vocabulary/faults.ts';
import { folderPlace } from './folder-storage.ts';
import type { S3Access } from './s3-client.ts';
import { s3Place, s3Scheme } from './s3-storage.ts';
import type { Place } from './storage-target.ts';

/** `access`: undefined if no credentials are configured. */
export function openPlace(location: string, access: S3Access | undefined): Place {
  if (!location.startsWith(s3Scheme)) return folderPlace(location);
  if (access) return s3Place(location, access);
  const names = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  throw new Fault('CONFLICT', `${location} needs credentials: set ${names}`);
}
