import { CopyButton } from '../frame/copy-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { useReader } from '../language.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret that nobody can read again. */
export function ShownOnce({ title, secret, onClose }: ShownOnceProps) {
  const { t } = useReader();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t('keys.once')}</p>
      <div className="embed">
        <code className="block">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  );
}
