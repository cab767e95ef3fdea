/**
 * Remembers the answers of a pure function for the keys asked most recently, at most `limit` of
 * them. A Map keeps the order of insertion, so its first key is the one longest unused.
 */
export function rememberRecent<Answer>(limit: number): {
  recall(key: string, work: () => Answer): Answer;
  readonly size: number;
} {
  const answers = new Map<string, Answer>();
  let latest: { readonly key: string; readonly answer: Answer } | undefined;
  return {
    recall(key, work) {
      // The beacons of one request ask for the same, one after the other.
      if (latest?.key === key) return latest.answer;
      const known = answers.get(key);
      const answer = known ?? work();
      if (known !== undefined) answers.delete(key);
      else if (answers.size >= limit) answers.delete(answers.keys().next().value as string);
      answers.set(key, answer);
      latest = { key, answer };
      return answer;
    },
    get size() {
      return answers.size;
    },
  };
}
