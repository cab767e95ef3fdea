import { type ReactNode, useId, useState } from 'react';
import { ExplainButton } from './explain-button.tsx';

interface PanelHeadProps {
  readonly title: string;
  /** Said by what else is in the head already. */
  readonly isTitleHidden?: boolean;
  /** What its figures mean and rest on; asked for only once somebody opens it. */
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a panel, its controls, and what explains it. */
export function PanelHead({ title, isTitleHidden, about, children }: PanelHeadProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const explain = about !== undefined && (
    <ExplainButton {...{ name: title, controls: id, isOpen }} onToggle={() => setOpen(!isOpen)} />
  );
  return (
    <>
      <div className="panel-head">
        {isTitleHidden ? (
          <h2 className="hidden">{title}</h2>
        ) : (
          <div className="panel-title">
            <h2>{title}</h2>
            {explain}
          </div>
        )}
        {children}
        {isTitleHidden && explain}
      </div>
      {isOpen && (
        <div className="about" id={id}>
          {about}
        </div>
      )}
    </>
  );
}
