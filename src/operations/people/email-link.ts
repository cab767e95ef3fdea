import type { CatalogParts } from '../../catalog/catalog.ts';
import { accepted } from '../refusal-faults.ts';

export const emailMinutes = 30;

/** The link by which an address becomes that of a person, after the URL of the service. */
export async function createEmailPath(
  { people }: Pick<CatalogParts, 'people'>,
  personId: number,
  email: string,
): Promise<string> {
  return `/#email=${accepted(await people.prepareEmail(personId, email, emailMinutes * 60_000))}`;
}
