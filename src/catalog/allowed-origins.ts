import { parameterFault } from '../wire/parameters.ts';

/** As they are stored: by spaces, which no origin holds. */
export function originsOf(stored: string): readonly string[] {
  return stored === '' ? [] : stored.split(' ');
}

/** Each as a browser writes it into the header Origin: small letters, no default port. */
export function storedOrigins(given: readonly string[]): string {
  const errors = given.flatMap((text, index) =>
    originNamed(text) === undefined
      ? [{ parameter: `allowedOrigins.${index}`, detail: 'must be an origin: https://example.com' }]
      : [],
  );
  if (errors.length > 0) throw parameterFault(errors);
  return [...new Set(given.map(originNamed))].join(' ');
}

function originNamed(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  // Of schemes that are no standard's, such as those of apps, nothing is said but the text itself.
  return origin === 'null' ? text.toLowerCase() : origin;
}
