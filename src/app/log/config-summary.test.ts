import { expect, test } from 'vitest';
import { configSections, readConfig, secretSettings } from '../../config/config.ts';
import { shownConfig } from './config-summary.ts';

const hidden = 'hidden'.repeat(8);

/** A value for each setting that takes a text, which has the secret wherever it can have one. */
function everySecret(): Record<string, string> {
  const settings = Object.values(configSections).flatMap((section) => Object.entries(section));
  const given: Record<string, string> = {
    CLICKHOUSE_CLUSTER: 'plays',
    CLICKHOUSE_URL: `http://ann:${hidden}@ch-1:8123,https://:${hidden}@ch-2:8123/p@th`,
    DATABASE_URL: `postgres://ann:${hidden}@db.example/stats?password=${hidden}#${hidden}`,
    SMTP_URL: `smtp://ann:${hidden}@mail.example:587`,
    MAIL_FROM: 'playmeter@mail.example',
    EXPORT_TO: 's3://my-exports/playmeter',
    BACKUP_TO: 's3://my-backups/playmeter',
  };
  for (const [name, schema] of settings) {
    const { type, examples } = schema as { type?: string; examples?: readonly string[] };
    if (type !== 'string' || name in given) continue;
    const [example] = examples ?? [];
    if (secretSettings.has(name)) given[name] = hidden;
    else if (example?.includes('://')) given[name] = `https://ann:${hidden}@host.example/a`;
  }
  return given;
}

test('the configuration is shown without anything secret, whatever holds it', () => {
  const environment = everySecret();
  // Whatever is named like a secret is one.
  expect(Object.keys(environment)).toEqual(
    expect.arrayContaining([...secretSettings, 'PUBLIC_URL', 'CONTENT_URL', 'AWS_ENDPOINT_URL']),
  );
  const shown = shownConfig(readConfig(environment));
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(JSON.stringify(shown)).not.toContain('ann');
  expect(shown).toMatchObject({
    APP_SECRET: 'set',
    CLICKHOUSE_PASSWORD: 'set',
    DATABASE_URL: 'postgres://db.example/stats',
    CLICKHOUSE_URL: 'http://ch-1:8123,https://ch-2:8123/p@th',
    PUBLIC_URL: 'https://host.example/a',
    PORT: 8080,
  });
  const names = Object.values(configSections).flatMap((section) => Object.keys(section));
  const likeSecrets = names.filter((name) => /SECRET|PASSWORD|TOKEN|ACCESS_KEY/.test(name));
  expect(likeSecrets.filter((name) => !secretSettings.has(name))).toEqual([]);
});

test('what is not set is not shown, and an empty secret not as one', () => {
  const shown = shownConfig(readConfig({}));
  expect(shown).not.toHaveProperty('APP_SECRET');
  expect(shown).toMatchObject({ CLICKHOUSE_PASSWORD: '', LOG_FORMAT: 'json', HOST: '127.0.0.1' });
});

test.each([
  ['postgres://ann:a,b@db.example/stats', 'postgres://db.example/stats'],
  ['postgres://ann:a%23b@db.example:5433/stats?password=c', 'postgres://db.example:5433/stats'],
  ['postgres://db.example', 'postgres://db.example'],
])('of %s %s is shown', (given, expected) => {
  const shown = shownConfig({ ...readConfig({}), DATABASE_URL: given });
  expect(shown.DATABASE_URL).toBe(expected);
});

test('of a URL that no program could read nothing is shown', () => {
  const shown = shownConfig({ ...readConfig({}), DATABASE_URL: 'postgres://ann:a#b@db.example' });
  expect(shown.DATABASE_URL).toBe('set');
});
