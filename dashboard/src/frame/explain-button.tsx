import { useReader } from '../language.tsx';
import { Icon } from './icons.tsx';

interface ExplainButtonProps {
  /** Of what is explained. */
  readonly name: string;
  /** The id of the explanation. */
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function ExplainButton({ name, controls, isOpen, onToggle }: ExplainButtonProps) {
  const { t } = useReader();
  return (
    <button
      type="button"
      className="plain explain"
      aria-label={t('about.open', { name })}
      title={t('about.open', { name })}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <Icon name="about" />
    </button>
  );
}
