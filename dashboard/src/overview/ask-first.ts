import type { QueryClient } from '@tanstack/react-query';
import { todayIn } from '../calendar.ts';
import type { Person } from '../session.ts';
import { questionOf } from '../statistics.ts';
import { readView } from '../view.ts';
import { chartQuestion } from './chart-question.ts';
import { figuresParameters } from './use-figures.ts';

/** Asks what the overview shows first: the answers are on their way while the page is drawn. */
export function askFirst(client: QueryClient, { timeZone, scopes }: Person): void {
  if (location.pathname !== '/' || !scopes.includes('stats:read')) return;
  const view = readView(new URLSearchParams(location.search), todayIn(timeZone));
  for (const parameters of [figuresParameters(view), chartQuestion(view)]) {
    void client.prefetchQuery(questionOf(parameters));
  }
}
