import { brandPath } from './icon-paths.ts';

export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        <rect width="16" height="16" rx="4" />
        <path d={brandPath} />
      </svg>
      Playmeter
    </span>
  );
}
