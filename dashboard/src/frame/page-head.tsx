import { type ReactNode, useEffect, useRef } from 'react';

interface PageHeadProps {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}

/** Names the page for the eye, the tab and the screen reader, which starts reading here. */
export function PageHead({ title, detail, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Playmeter`;
  }, [title]);
  useEffect(() => {
    // Where nothing is focused, the reader came from another page of the dashboard.
    const { activeElement: at, body } = document;
    const isLost = at === body || at?.id === 'main';
    if (isLost && history.state !== null) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="page-head">
      <div>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {detail && <p className="quiet">{detail}</p>}
      </div>
      {children && <div className="page-controls">{children}</div>}
    </header>
  );
}
