import { useReader } from '../language.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  /** Default: that it is shown only now. */
  readonly what?: string;
  readonly onClose: () => void;
}

/** A secret that nobody can read again. */
export function ShownOnce({ title, secret, what, onClose }: ShownOnceProps) {
  const { t } = useReader();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{what ?? t('keys.once')}</p>
      <div className="embed">
        <code className="block">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  );
}
