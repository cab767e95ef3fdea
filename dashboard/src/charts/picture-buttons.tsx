import { type MouseEvent, useState } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { Icon } from '../frame/icons.tsx';
import { usePerson } from '../frame/person.tsx';
import { saveFile } from '../frame/save-file.ts';
import { useReader } from '../language.tsx';
import type { Caption } from './picture.ts';

interface PictureButtonsProps {
  readonly title: string;
  /** What it is of, besides the account: the period, the video. */
  readonly lines: readonly string[];
  readonly keys?: Caption['keys'];
  /** Of the file, without its ending. */
  readonly name: string;
}

/** The chart of the same panel as a file. */
export function PictureButtons({ title, lines, keys = [], name }: PictureButtonsProps) {
  const { t } = useReader();
  const { name: account, timeZone } = usePerson();
  const [complaint, setComplaint] = useState('');
  const [busy, setBusy] = useState<'svg' | 'png'>();
  const save = async ({ currentTarget }: MouseEvent, kind: 'svg' | 'png') => {
    const chart = currentTarget.closest('.panel')?.querySelector('svg[data-chart]');
    if (!(chart instanceof SVGSVGElement)) return;
    setBusy(kind);
    try {
      const { svgOf, pngOf } = await import('./picture.ts');
      const svg = svgOf(chart, { title, lines: [...lines, `${account}, ${timeZone}`], keys });
      const blob = kind === 'png' ? await pngOf(svg) : new Blob([svg], { type: 'image/svg+xml' });
      saveFile(blob, `${name}.${kind}`);
      setComplaint('');
    } catch {
      setComplaint(t('error.unknown'));
    }
    setBusy(undefined);
  };
  return (
    <>
      {(['svg', 'png'] as const).map((kind) => (
        <ActionButton
          key={kind}
          className="plain"
          isOff={busy !== undefined}
          isBusy={busy === kind}
          title={t('picture.what', { kind: kind.toUpperCase() })}
          onClick={(event) => void save(event, kind)}
        >
          <Icon name="download" /> {kind.toUpperCase()}
        </ActionButton>
      ))}
      <span role="alert" className="complaint">
        {complaint}
      </span>
    </>
  );
}
