import { useReader } from '../language.tsx';
import { ActionButton } from './action-button.tsx';

interface PagingProps {
  readonly paging: { readonly page: number; readonly totalPage: number };
  readonly onPage: (page: number) => void;
}

/** The page that the URL asks for, from 1. */
export function pageIn(search: URLSearchParams): number {
  return Math.max(1, Math.floor(Number(search.get('page') ?? 1)) || 1);
}

export function Paging({ paging: { page, totalPage }, onPage }: PagingProps) {
  const { t, formats } = useReader();
  if (totalPage <= 1) return null;
  return (
    <div className="actions paging">
      <ActionButton isOff={page <= 1} onClick={() => onPage(page - 1)}>
        {t('paging.back')}
      </ActionButton>
      <span>{t('paging.at', { page: formats.number(page), of: formats.number(totalPage) })}</span>
      <ActionButton isOff={page >= totalPage} onClick={() => onPage(page + 1)}>
        {t('paging.next')}
      </ActionButton>
    </div>
  );
}
