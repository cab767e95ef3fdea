import { useState } from 'react';
import { type Language, languages } from '../chosen-language.ts';
import { useReader } from '../language.tsx';
import { readTheme, setTheme, type Theme, themes } from '../theme.ts';
import { Choice } from './choice.tsx';

export function Preferences() {
  return (
    <div className="preferences">
      <LanguageChoice />
      <ThemeChoice />
    </div>
  );
}

export function LanguageChoice() {
  const { t, language, setLanguage } = useReader();
  const names = Object.entries(languages) as [Language, string][];
  return (
    <Choice
      label={t('preferences.language')}
      value={language}
      options={names.map(([value, name]) => ({ value, name, lang: value }))}
      onChoose={setLanguage}
    />
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
    <Choice
      label={t('preferences.theme')}
      value={theme}
      options={themes.map((value) => ({ value, name: t(`theme.${value}`) }))}
      onChoose={change}
    />
  );
}
