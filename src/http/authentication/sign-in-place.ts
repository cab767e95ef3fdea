/** From where somebody signs in, in words that a person recognises. */
import type { SessionPlace } from '../../catalog/catalog.ts';
import { createClientReader } from '../../collect/enrich/browser/client-reader.ts';
import type { Countries } from '../../collect/enrich/country/countries.ts';
import { createOperatingSystemReader } from '../../collect/enrich/system/operating-system.ts';
import type { ReportedCountry, SenderAddress, Sent } from '../server/sender-address.ts';

interface PlaceParts {
  readonly addressOf: SenderAddress;
  readonly reportedCountry: ReportedCountry;
  readonly countries: Countries;
}

export function createPlaceFinder(parts: PlaceParts): (sent: Sent) => SessionPlace {
  const readSystem = createOperatingSystemReader();
  const readClient = createClientReader();
  return (sent) => {
    const address = parts.addressOf(sent);
    const userAgent = sent.headers['user-agent'];
    const { name } = readSystem({ userAgent });
    const { browser } = readClient(userAgent, name);
    const known = [browser, name].filter((word) => word !== '' && word !== 'Unknown');
    const country = parts.reportedCountry(sent) ?? parts.countries.countryOf(address);
    return { device: known.join(', ') || 'Unknown', address, country };
  };
}
