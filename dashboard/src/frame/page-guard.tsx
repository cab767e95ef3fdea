import { Component, type ReactNode } from 'react';
import { useReader } from '../language.tsx';
import { PageHead } from './page-head.tsx';

interface PageGuardProps {
  readonly children: ReactNode;
}

/** Where a page breaks: pages load when they are opened, and a newer service has other files. */
export class PageGuard extends Component<PageGuardProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useReader();
  return (
    <>
      <PageHead title={t('broken.title')} detail={t('broken.what')} />
      <p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {t('broken.reload')}
        </button>
      </p>
    </>
  );
}
