/** As describe.each and test.each, where some kinds are for `npm run test:all` alone. */
import { describe, test } from 'vitest';

export interface Kind {
  readonly name: string;
  /** Of all its tests; default: none. */
  readonly tags?: 'long'[];
}

/** `$name` in the title stands for that of the kind. */
export function describeKinds<Of extends Kind>(
  kinds: readonly Of[],
  title: string,
  tests: (kind: Of) => void,
): void {
  for (const kind of kinds) describe(titleOf(kind, title), optionsOf(kind), () => tests(kind));
}

/** `$name` in the title stands for that of the kind. */
export function testKinds<Of extends Kind>(
  kinds: readonly Of[],
  title: string,
  run: (kind: Of) => Promise<void>,
): void {
  for (const kind of kinds) test(titleOf(kind, title), optionsOf(kind), () => run(kind));
}

function titleOf({ name }: Kind, title: string): string {
  return title.replace('$name', name);
}

function optionsOf({ tags = [] }: Kind) {
  return { tags };
}
