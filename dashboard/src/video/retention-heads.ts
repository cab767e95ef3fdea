import type { MessageName } from '../language.tsx';
import { areOfTwoVideos, type RetentionPair } from './retention-sides.ts';

/** The columns of the table: two of each curve where there are two. */
export function retentionHeads({ one, other }: RetentionPair, t: (name: MessageName) => string) {
  const audience = t('retention.audience');
  if (other === undefined) return [t('retention.part'), audience, t('retention.watched')];
  const ofSides = [one, other].flatMap(({ name }) => [
    `${audience}, ${name}`,
    `${t('retention.share')}, ${name}`,
  ]);
  const place = areOfTwoVideos({ one, other }) ? 'retention.place' : 'retention.part';
  return [t(place), ...ofSides];
}
