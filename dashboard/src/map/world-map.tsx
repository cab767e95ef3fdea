/** The countries of the world, each in its shade. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCursor } from '../charts/use-cursor.ts';
import { useReader } from '../language.tsx';

interface WorldMapProps {
  readonly name: string;
  /** What is read by the arrow keys, in this order, before all other countries. */
  readonly ranked: readonly string[];
  readonly shadeOf: (code: string) => number | undefined;
  readonly isChosen: (code: string) => boolean;
  /** In words, for screen readers. */
  readonly describe: (code: string) => string;
  readonly tipOf: (code: string) => ReactNode;
  readonly onChoose: (code: string) => void;
}

/** Far larger than the rest of the page, so it comes once a map is in sight. */
const shapes = {
  queryKey: ['world-shapes'],
  queryFn: async () => (await import('./world-shapes.json', { with: { type: 'json' } })).default,
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
};

type Place = readonly [shape: string, x: number, y: number];

export function WorldMap(props: WorldMapProps) {
  const { name, ranked, shadeOf, isChosen, describe, tipOf, onChoose } = props;
  const { t } = useReader();
  const { data: world } = useQuery(shapes);
  // Of a list in JSON, TypeScript does not know what stands at which place.
  const places = new Map(Object.entries(world?.countries ?? {}) as unknown as [string, Place][]);
  const codes = [...new Set([...ranked.filter((code) => places.has(code)), ...places.keys()])];
  const { at, listeners } = useCursor(codes.length, (_, { target }) => {
    const code = target instanceof Element && target.closest('[data-code]');
    return code ? codes.indexOf(code.getAttribute('data-code') ?? '') : undefined;
  });
  const current = at === undefined ? undefined : codes[at];
  if (world === undefined) return <div className="map" />;
  const place = current === undefined ? undefined : places.get(current);
  const [, x, y] = place ?? ['', 0, 0];
  const isRight = x > world.width / 2;
  const aside = 100 * (isRight ? 1 - x / world.width : x / world.width);
  return (
    <div
      className="map"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={codes.length - 1}
      aria-valuenow={at ?? 0}
      aria-valuetext={current === undefined ? t('map.how') : describe(current)}
      {...listeners}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && current !== undefined) onChoose(current);
        else listeners.onKeyDown(event);
      }}
      onClick={() => current !== undefined && onChoose(current)}
    >
      <svg viewBox={`0 0 ${world.width} ${world.height}`} aria-hidden="true" data-chart>
        {[...places].map(([code, place]) => (
          <Country
            key={code}
            {...{ code, place, shade: shadeOf(code) }}
            isChosen={isChosen(code)}
          />
        ))}
        {/* Once more, so that its whole outline lies above its neighbours. */}
        {current !== undefined && place && (
          <g className="cursor">
            <Country code={current} place={place} shade={shadeOf(current)} isChosen />
          </g>
        )}
      </svg>
      {current !== undefined && (
        <div
          className="tip"
          aria-hidden="true"
          style={{ [isRight ? 'right' : 'left']: `${aside}%`, top: `${(100 * y) / world.height}%` }}
        >
          {tipOf(current)}
        </div>
      )}
    </div>
  );
}

interface CountryProps {
  readonly code: string;
  readonly place: Place;
  readonly shade: number | undefined;
  readonly isChosen: boolean;
}

const dotRadius = 6;

function Country({ code, place: [shape, x, y], shade, isChosen }: CountryProps) {
  const common = {
    'data-code': code,
    'data-shade': shade,
    className: isChosen ? 'chosen' : undefined,
  };
  if (shape !== '') return <path d={shape} {...common} />;
  return <circle cx={x} cy={y} r={dotRadius} {...common} />;
}
