/** A video that was made by hand has no length; its first plays show how long it is. */
import { useQuery } from '@tanstack/react-query';
import { addDays } from '../calendar.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { retention } from '../questions.ts';
import { server } from '../server.ts';
import { furthestPosition } from './furthest-position.ts';

/** As long as a question may be of. */
const everDays = 3_650;

export function MissingLength({ accessKey }: { readonly accessKey: string }) {
  const { t, formats } = useReader();
  const { today } = usePerson();
  const canManage = useMay('manager');
  const { data: reachedMs } = useQuery({
    queryKey: ['furthest', accessKey, today],
    queryFn: ({ signal }) => {
      const ever = { accessKey, sdate: addDays(today, -everDays), edate: today };
      return furthestPosition((cut) => retention({ ...ever, ...cut }, signal));
    },
    enabled: canManage,
  });
  const change = useChange(
    (duration: number) => server.manage.changeVideo(accessKey, { duration }),
    ...['video', 'videos', 'query', 'retention'],
  );
  const position = formats.position(reachedMs ?? 0);
  return (
    <div className="empty missing">
      <p className="quiet">
        {t('retention.noLength')}{' '}
        {reachedMs
          ? t('retention.reached', { position })
          : t(canManage ? 'retention.lengthLater' : 'retention.enterLength')}
      </p>
      {reachedMs !== undefined && reachedMs > 0 && (
        <ActionButton isBusy={change.isPending} onClick={() => change.mutate(reachedMs)}>
          {t('retention.useLength', { position })}
        </ActionButton>
      )}
      {change.error && <ErrorNote error={change.error} />}
    </div>
  );
}
