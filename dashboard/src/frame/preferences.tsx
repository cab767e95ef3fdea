import { useState } from 'react';
import { type Language, languages, useReader } from '../language.tsx';
import { readTheme, setTheme, type Theme, themes } from '../theme.ts';

export function LanguageChoice() {
  const { t, language, setLanguage } = useReader();
  return (
    <select
      aria-label={t('preferences.language')}
      value={language}
      onChange={({ target }) => setLanguage(target.value as Language)}
    >
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function ThemeChoice() {
  const { t } = useReader();
  const [theme, choose] = useState(readTheme);
  const change = (next: Theme) => {
    setTheme(next);
    choose(next);
  };
  return (
    <select
      aria-label={t('preferences.theme')}
      value={theme}
      onChange={({ target }) => change(target.value as Theme)}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {t(`theme.${name}`)}
        </option>
      ))}
    </select>
  );
}
