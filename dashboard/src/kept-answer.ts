/** What stays in sight while the answer to another question is on its way. */
import type { Question } from './questions.ts';

interface Answered {
  readonly asked: Partial<Pick<Question, 'accessKey'>>;
}

/** That of another video would be taken for this one's. */
export function keptAnswer<Kept extends Answered>(
  last: Kept | undefined,
  accessKey: string | undefined,
): Kept | undefined {
  return last?.asked.accessKey === accessKey ? last : undefined;
}
