import type { ReactNode } from 'react';
import { useReader } from '../language.tsx';
import { Brand } from './brand.tsx';
import { LanguageChoice, ThemeChoice } from './preferences.tsx';

interface OutsidePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page of whoever is not in any account yet. */
export function OutsidePage({ title, children }: OutsidePageProps) {
  const { t } = useReader();
  return (
    <main className="sign-in">
      <title>{`${title} · Playmeter`}</title>
      <Brand />
      <h1 dir="auto">{title}</h1>
      {children}
      <footer>
        <LanguageChoice />
        <ThemeChoice />
        <a href="/docs">{t('nav.docs')}</a>
      </footer>
    </main>
  );
}
