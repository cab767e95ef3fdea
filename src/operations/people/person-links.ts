/** Links that a person gets by mail or by hand, as paths after the URL of the service. */
import type { CatalogParts, PersonEvent } from '../../catalog/catalog.ts';
import { accepted } from '../refusal-faults.ts';

export const linkMinutes = 30;
const linkMs = linkMinutes * 60_000;

/** Of a link that goes to the person's own address. Strangers cause it, too. */
export const resetSent = { action: 'RESET_SENT' } as const;
/** Of a link that is shown to somebody else, who can become the person by it. */
export const resetShown = { action: 'RESET_SHOWN', isOfService: true } as const;

/** The link by which a person sets a new password; it is noted. */
export async function createResetPath(
  { sessions, people }: Pick<CatalogParts, 'sessions' | 'people'>,
  personId: number,
  event: PersonEvent,
): Promise<string> {
  const link = await sessions.createPersonLink(personId, linkMs);
  await people.note(personId, event);
  return `/#reset=${link}`;
}

/** The link by which an address becomes that of a person. */
export async function createEmailPath(
  { people }: Pick<CatalogParts, 'people'>,
  personId: number,
  email: string,
): Promise<string> {
  return `/#email=${accepted(await people.prepareEmail(personId, email, linkMs))}`;
}
