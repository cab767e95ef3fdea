import { type IconName, iconPaths } from './icon-paths.ts';

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
