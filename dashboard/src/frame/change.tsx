import { useReader } from '../language.tsx';
import { changeOf } from './change-of.ts';

interface ChangeProps {
  /** By default more is better. */
  readonly isBetterLess?: boolean;
  readonly value: number | null | undefined;
  readonly before: number | null | undefined;
}

export function Change({ value, before, isBetterLess = false }: ChangeProps) {
  const { t, formats } = useReader();
  const change = changeOf(value, before);
  if (change === undefined) return <span className="change">{'\u00a0'}</span>;
  // As it is written: no arrow before 0 %.
  const percent = Math.round(change * 100);
  const kind = percent > 0 ? 'up' : percent < 0 ? 'down' : 'same';
  const arrow = { up: '↑', down: '↓', same: '' }[kind];
  const judged = kind === 'same' ? kind : (kind === 'up') === isBetterLess ? 'worse' : 'better';
  return (
    <span className={`change ${judged}`}>
      <span aria-hidden="true">{arrow} </span>
      {formats.change(change)}
      <span className="hidden"> {t('compare.against')}</span>
    </span>
  );
}
