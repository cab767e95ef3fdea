/** Every mistake in the set-up is said in the console, once a page, with what to do. */
let said = '';

export function warn(mistake: string): void {
  if (said.includes(mistake)) return;
  said += mistake;
  console.warn(`playmeter: ${mistake}`);
}
