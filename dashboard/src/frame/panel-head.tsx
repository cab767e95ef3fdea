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
  return (
    <>
      <div className="panel-head">
        <h2 className={isTitleHidden ? 'hidden' : undefined}>{title}</h2>
        {children}
        {about !== undefined && (
          <ExplainButton
            {...{ name: title, controls: id, isOpen }}
            onToggle={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isOpen && (
        <div className="about" id={id}>
          {about}
        </div>
      )}
    </>
  );
}
