import { assert } from '../../lib/assert.ts';
import type { Step } from '../draft.ts';
import { createClientReader } from './client-reader.ts';
import type { Countries } from './open-countries.ts';
import { createWebAddressReader } from './read-web-address.ts';

export type CountryOf = Countries['countryOf'];

/** `hls.js/1.7.2`. Anything else was not written for it. */
const playerForm = /^[\p{L}@][\p{L}\p{N} ._+@-]{0,47}\/\d[\w.+-]{0,31}$/u;

/** What the request and the beacon say of the audience; what they leave out is empty. */
export function setAttributes(countryOf: CountryOf): Step {
  const readClient = createClientReader();
  const readWebAddress = createWebAddressReader();
  return {
    name: 'set attributes',
    run(draft) {
      const { device, operatingSystem, player = '' } = draft;
      assert(operatingSystem, 'the system is known before the browser is read');
      const client = readClient(device.userAgent, operatingSystem.name);
      const { host, page } = readWebAddress(draft.page);
      draft.attributes = {
        ...draft.attributes,
        country: device.country ?? countryOf(device.address),
        device: client.device,
        browser: client.browser,
        browserVersion: client.browserVersion,
        host,
        page,
        referrer: readWebAddress(draft.referrer).host,
        player: playerForm.test(player) ? player : '',
      };
      return undefined;
    },
  };
}
