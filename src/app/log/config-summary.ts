/** The configuration as the log shows it: without anything secret. */
import { type Config, secretSettings } from '../../config/config.ts';

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
  if (!value.includes('://')) return value;
  // A comma may be of a password: only one that another URL follows divides.
  return value
    .split(/,(?=[a-z][a-z0-9+.-]*:\/\/)/i)
    .map(placeOf)
    .join(',');
}

function placeOf(value: string): string {
  if (!URL.canParse(value)) return 'set';
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
