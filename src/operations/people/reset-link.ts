import type { CatalogParts, PersonEvent } from '../../catalog/catalog.ts';

export const resetMinutes = 30;

/** The link by which a person sets a new password, after the URL of the service; it is noted. */
export async function createResetPath(
  { sessions, people }: Pick<CatalogParts, 'sessions' | 'people'>,
  personId: number,
  after: PersonEvent['after'],
): Promise<string> {
  const link = await sessions.createPersonLink(personId, resetMinutes * 60_000);
  await people.note(personId, { action: 'RESET_SENT', after });
  return `/#reset=${link}`;
}
