import type { FastifyRequest } from 'fastify';

export interface ContentPlace {
  readonly contentUrl: string | undefined;
  readonly publicUrl: string | undefined;
}

/** Base URL of the videos, without a trailing slash; on this service if none is configured. */
export function findContentUrl(
  { contentUrl, publicUrl }: ContentPlace,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  const own = publicUrl ?? `${protocol}://${request.host}`;
  return (contentUrl ?? `${own.replace(/\/+$/, '')}/content`).replace(/\/+$/, '');
}
