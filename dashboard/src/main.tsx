import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepFocus } from './frame/keep-focus.ts';
import { LanguageProvider } from './language.tsx';
import { applyTheme } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/statistics.css';
import './styles/video.css';
import './styles/quality.css';
import './styles/settings.css';
import './styles/adding.css';

applyTheme();
keepFocus();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');
createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </StrictMode>,
);
