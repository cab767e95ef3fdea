import { useState } from 'react';
import { inAccount } from '../account-in-url.ts';
import { useReader } from '../language.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { usePerson } from './person.tsx';

/** The accounts of a person who has several. */
export function AccountSwitch() {
  const { t } = useReader();
  const { accountId: own, name, accounts = [] } = usePerson();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="account"
        title={name}
        aria-label={t('action.of', { action: t('accounts.switch'), name })}
        onClick={() => setOpen(true)}
      >
        <span className="cut">{name}</span>
        <Icon name="choose" />
      </button>
      {isOpen && (
        <Dialog title={t('accounts.title')} onClose={() => setOpen(false)}>
          <ul className="choices">
            {accounts.map((one) => (
              <li key={one.accountId}>
                {/* A page of its own: of another account, nothing stays. */}
                <a
                  href={inAccount('/', one.accountId)}
                  aria-current={one.accountId === own ? 'true' : undefined}
                >
                  <span dir="auto">{one.name}</span>
                  <span className="tag">{t(`role.${one.role}`)}</span>
                </a>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
