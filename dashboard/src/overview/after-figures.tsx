/** What is drawn and asked after the figures, which the reader sees first and waits for. */
import type { ReactNode } from 'react';
import { useFigures, useFiguresFailed } from './use-figures.ts';

interface AfterFiguresProps {
  readonly accessKey?: string;
  readonly children: ReactNode;
}

export function AfterFigures({ accessKey, children }: AfterFiguresProps) {
  const { isPending } = useFigures(accessKey);
  const isFailed = useFiguresFailed(accessKey);
  return isPending || isFailed ? null : children;
}
