/** The settings of the object store for backups and exports; part of config.ts. */
import Type from 'typebox';
import { httpUrl, text } from './setting-types.ts';

export const placeSettings = {
  AWS_ACCESS_KEY_ID: Type.Optional(
    Type.String({ description: 'Id of the access key for places such as s3://BUCKET/PREFIX' }),
  ),
  AWS_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: 'The secret of that key' })),
  AWS_SESSION_TOKEN: Type.Optional(
    Type.String({ description: 'Session token that belongs to it, if it is temporary' }),
  ),
  AWS_REGION: text('Region of the buckets', 'us-east-1'),
  AWS_ENDPOINT_URL: Type.Optional(
    httpUrl(
      'URL of an object store that is not Amazon; it has buckets in its path',
      'https://minio.example.com',
    ),
  ),
  AWS_ENDPOINT_URL_S3: Type.Optional(
    httpUrl('The same; goes before AWS_ENDPOINT_URL', 'https://minio.example.com'),
  ),
};
