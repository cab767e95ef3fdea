/** The language of whoever reads our own pages: as chosen there, or else as their browser asks. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogues, type Language } from './messages/messages.ts';

/** Written by the pages themselves: dashboard/src/chosen-language.ts. */
const cookie = 'playmeter-language';
const usual = 'en';

/** Says too that caches must keep the languages apart. */
export function readerLanguage({ headers }: FastifyRequest, reply: FastifyReply): Language {
  const others = [reply.getHeader('vary') ?? []].flat();
  reply.header('vary', [...others, 'accept-language', 'cookie'].join(', '));
  return readLanguage(headers);
}

export function readLanguage(headers: FastifyRequest['headers']): Language {
  const chosen = new RegExp(`(?:^|; *)${cookie}=([a-z]+)`).exec(headers.cookie ?? '')?.[1];
  const wanted = [chosen ?? '', ...accepted(headers['accept-language'] ?? '')];
  return wanted.find((tag): tag is Language => Object.hasOwn(catalogues, tag)) ?? usual;
}

/** The languages of the header, without their countries, those wanted most first. */
function accepted(header: string): string[] {
  return header
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.split(';q=');
      return { tag: tag.trim().toLowerCase().split('-')[0] ?? '', weight: Number(weight ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
