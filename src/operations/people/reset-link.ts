import type { CatalogParts, PersonEvent } from '../../catalog/catalog.ts';

export const resetMinutes = 30;

/** Of a link that is shown to somebody else, who can become the person by it. */
export const copied = { after: { isMailed: false }, isOfService: true } as const;

/** The link by which a person sets a new password, after the URL of the service; it is noted. */
export async function createResetPath(
  { sessions, people }: Pick<CatalogParts, 'sessions' | 'people'>,
  personId: number,
  event: Omit<PersonEvent, 'action'>,
): Promise<string> {
  const link = await sessions.createPersonLink(personId, resetMinutes * 60_000);
  await people.note(personId, { action: 'RESET_SENT', ...event });
  return `/#reset=${link}`;
}
