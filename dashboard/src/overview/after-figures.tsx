/** What is drawn and asked after the figures, which the reader sees first and waits for. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { useFigures, useFiguresFailed } from './use-figures.ts';

interface AfterFiguresProps {
  readonly accessKey?: string;
  readonly children: ReactNode;
}

export function AfterFigures({ accessKey, children }: AfterFiguresProps) {
  const { isPending } = useFigures(accessKey);
  const isFailed = useFiguresFailed(accessKey);
  const isRestDue = useSightAnswered();
  if (isPending || isFailed) return null;
  return <RestDue value={isRestDue}>{children}</RestDue>;
}

const RestDue = createContext(false);
/** Within `AfterFigures`: whether it is the turn of what is out of sight. */
export const useIsRestDue = () => useContext(RestDue);

const questions = { queryKey: ['query'] };
/** By then what is drawn anew has asked, and the browser has told what is in sight. */
const askedWithinMs = 50;

/** Whether all that is in sight has been answered: then it is the turn of the rest of the page. */
export function useSightAnswered(): boolean {
  const { view } = useView();
  const client = useQueryClient();
  const asked = useIsFetching(questions);
  const [answered, setAnswered] = useState<View>();
  useEffect(() => {
    if (asked > 0) return;
    const timer = setTimeout(() => {
      if (client.isFetching(questions) === 0) setAnswered(view);
    }, askedWithinMs);
    return () => clearTimeout(timer);
  }, [client, view, asked]);
  return answered === view;
}
