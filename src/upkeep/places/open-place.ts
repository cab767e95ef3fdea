import { Fault } from '../../wire/faults.ts';
import { folderPlace } from './folder-place.ts';
import type { Place } from './place.ts';
import type { S3Access } from './s3-client.ts';
import { s3Place, s3Scheme } from './s3-place.ts';

/** `access`: undefined if no credentials are configured. */
export function openPlace(location: string, access: S3Access | undefined): Place {
  if (!location.startsWith(s3Scheme)) return folderPlace(location);
  if (access) return s3Place(location, access);
  const names = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  throw new Fault('CONFLICT', `${location} needs credentials: set ${names}`);
}
