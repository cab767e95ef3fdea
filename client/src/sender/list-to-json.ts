/**
 * JSON of a list, also in a page in which arrays have a `toJSON` that makes a text of them, as
 * Prototype.js 1.6 gave them.
 */
export function listToJson(list: readonly unknown[]): string {
  return `[${list.map((one) => JSON.stringify(one))}]`;
}
