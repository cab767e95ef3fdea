import { type ReactNode, useId, useState } from 'react';
import { ExplainButton } from './explain-button.tsx';

interface ExplainedProps {
  /** Of what is explained. */
  readonly name: string;
  /** What it means and rests on. */
  readonly about: ReactNode;
  readonly children: ReactNode;
}

/** A line with the sign that explains it, and below it the explanation. */
export function Explained({ name, about, children }: ExplainedProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>
        {children}{' '}
        <ExplainButton {...{ name, controls: id, isOpen }} onToggle={() => setOpen(!isOpen)} />
      </p>
      {isOpen && (
        <div className="about" id={id}>
          {about}
        </div>
      )}
    </>
  );
}
