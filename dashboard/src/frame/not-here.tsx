import { useReader } from '../language.tsx';
import { Link } from './link.tsx';
import { PageHead } from './page-head.tsx';

export function NotHere() {
  const { t } = useReader();
  return (
    <>
      <PageHead title={t('notHere.title')} />
      <p>
        <Link href="/">{t('notHere.back')}</Link>
      </p>
    </>
  );
}
