import { type ReactNode, useId, useState } from 'react';
import { useReader } from '../language.tsx';
import { Icon } from './icons.tsx';
import { PanelMenu } from './panel-menu.tsx';

interface PanelHeadProps {
  readonly title: string;
  /** Said by what else is in the head already. */
  readonly isTitleHidden?: boolean;
  /** What its figures mean and rest on; asked for only once somebody opens it. */
  readonly about?: ReactNode;
  /** What its menu has besides: the files that it can be saved as. */
  readonly files?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a panel, its controls, and its menu. */
export function PanelHead({ title, isTitleHidden, about, files, children }: PanelHeadProps) {
  const { t } = useReader();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="panel-head">
        {isTitleHidden ? (
          <h2 className="hidden">{title}</h2>
        ) : (
          <div className="panel-title">
            <h2>{title}</h2>
          </div>
        )}
        {children}
        {(about !== undefined || files !== undefined) && (
          <PanelMenu name={title}>
            {about !== undefined && (
              <button
                type="button"
                className="plain"
                aria-expanded={isOpen}
                aria-controls={isOpen ? id : undefined}
                onClick={() => setOpen(!isOpen)}
              >
                <Icon name="about" /> {t('about.open', { name: title })}
              </button>
            )}
            {files}
          </PanelMenu>
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
