import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { inThisAccount } from '../account-in-url.ts';
import { navigate } from '../page-url.ts';

/** A link to another page of the dashboard, which opens without loading everything again. */
export function Link({ href, ...others }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  const open = (event: MouseEvent) => {
    const wantsElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.button !== 0 || wantsElsewhere || href === undefined) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href && inThisAccount(href)} onClick={open} {...others} />;
}
