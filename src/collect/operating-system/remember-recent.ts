/**
 * Remembers the answers of a pure function for the keys asked most recently, at most `limit` of
 * them. A Map keeps the order of insertion, so its first key is the one longest unused.
 */
export function rememberRecent<Answer>(limit: number): {
  recall(key: string, work: () => Answer): Answer;
  readonly size: number;
} {
  const answers = new Map<string, Answer>();
  return {
    recall(key, work) {
      const known = answers.get(key);
      const answer = known ?? work();
      if (known !== undefined) answers.delete(key);
      else if (answers.size >= limit) answers.delete(answers.keys().next().value as string);
      answers.set(key, answer);
      return answer;
    },
    get size() {
      return answers.size;
    },
  };
}
