/** Every mistake in the set-up is said in the console, once a page, with what to do. */
const said = new Set<string>();

export function warn(mistake: string): undefined {
  if (!said.has(mistake)) console.warn(`playmeter: ${mistake}`);
  said.add(mistake);
}
