/** The configuration as the log shows it: without anything secret. */
import { type Config, secretSettings } from './config.ts';

type Shown = Readonly<Record<string, string | number>>;

/** All settings that have a value; of a secret one only that it has. */
export function shownConfig(config: Config): Shown {
  const shown = Object.entries(config).map(([name, value]) => {
    if (secretSettings.has(name)) return [name, value === '' ? '' : 'set'];
    return [name, typeof value === 'string' ? withoutCredentials(value) : value];
  });
  return Object.fromEntries(shown) as Shown;
}

/** URLs may carry a user with a password, and parameters such as a password too. */
function withoutCredentials(value: string): string {
  return value.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)([^\s,]*)/gi, (_all, scheme, rest: string) => {
    const [place = ''] = rest.split(/[?#]/);
    return `${scheme}${place.slice(place.lastIndexOf('@') + 1)}`;
  });
}
