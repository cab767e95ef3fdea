/** The dialogs in which an owner says what somebody may do. */
import { type FormEvent, useState } from 'react';
import type {
  InvitationFields,
  Member,
  MemberFields,
  NewInvitation,
} from '../../../client/src/index.ts';
import { Dialog } from '../frame/dialog.tsx';
import { ChoiceField, TextField } from '../frame/fields.tsx';
import { PackageChoice } from '../frame/package-choice.tsx';
import { SubmitRow } from '../frame/save-row.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { type Role, roles } from '../roles.ts';
import { server } from '../server.ts';
import { usePackages } from '../whole-lists.ts';

interface InvitationFormProps {
  readonly onMade: (made: NewInvitation) => void;
  readonly onClose: () => void;
}

export function InvitationForm({ onMade, onClose }: InvitationFormProps) {
  const { t, language } = useReader();
  const standing = useStanding();
  const change = useChange(
    (fields: InvitationFields) => server.manage.invite(fields),
    ...['invitations', 'audit'],
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    const fields = standing.read();
    if (fields === undefined) return;
    const made = await change.mutateAsync({ email, language, ...fields }).catch(() => undefined);
    if (made) onMade(made);
  };
  return (
    <Dialog title={t('people.invite.title')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <TextField
          {...{ name: 'email', label: t('person.email'), error: change.error }}
          complaint={t('person.email.bad')}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <StandingFields standing={standing} error={change.error} />
        <SubmitRow change={change} text={t('people.invite')} />
      </form>
    </Dialog>
  );
}

interface MemberFormProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function MemberForm({ member, onClose }: MemberFormProps) {
  const { t } = useReader();
  const standing = useStanding(member);
  const change = useChange(
    (fields: MemberFields) => server.manage.changeMember(member.personId, fields),
    ...['members', 'audit', 'person'],
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = standing.read();
    if (fields === undefined) return;
    if (await change.mutateAsync(fields).catch(() => undefined)) onClose();
  };
  return (
    <Dialog title={member.name} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        {member.isByClaim && <p className="quiet">{t('people.byClaim.what')}</p>}
        <StandingFields standing={standing} error={change.error} />
        <SubmitRow change={change} text={t('form.save')} />
      </form>
    </Dialog>
  );
}

/** A role; of an analyst, also whether they see certain packages alone, and which. */
function useStanding(
  of: Pick<Member, 'role' | 'packageIds'> = { role: 'analyst', packageIds: null },
) {
  const [role, setRole] = useState<Role>(of.role);
  const [isNarrow, setNarrow] = useState(of.packageIds !== null);
  const [packageIds, setPackageIds] = useState<readonly number[]>(of.packageIds ?? []);
  const [isIncomplete, setIncomplete] = useState(false);
  const canNarrow = role === 'analyst';
  return {
    ...{ role, setRole, isNarrow, setNarrow, packageIds, canNarrow, isIncomplete },
    setPackageIds: (chosen: readonly number[]) => {
      setPackageIds(chosen);
      setIncomplete(false);
    },
    /** Undefined where something is missing, which is said then. */
    read(): MemberFields | undefined {
      if (!canNarrow || !isNarrow) return { role, packageIds: null };
      setIncomplete(packageIds.length === 0);
      return packageIds.length === 0 ? undefined : { role, packageIds: [...packageIds] };
    },
  };
}

interface StandingFieldsProps {
  readonly standing: ReturnType<typeof useStanding>;
  readonly error: unknown;
}

function StandingFields({ standing, error }: StandingFieldsProps) {
  const { t } = useReader();
  const { role, isNarrow, setNarrow, packageIds, canNarrow, isIncomplete } = standing;
  const { data: packages = [] } = usePackages();
  const sees = [
    { narrow: false, text: 'people.everything' },
    { narrow: true, text: 'people.onlyPackages' },
  ] as const;
  return (
    <>
      <ChoiceField
        {...{ name: 'role', label: t('people.role'), error, value: role }}
        onChoose={standing.setRole}
        options={roles.map((value) => ({ value, name: t(`role.${value}`) }))}
      />
      <p className="quiet">{t(`role.${role}.what`)}</p>
      {canNarrow && packages.length > 0 && (
        <fieldset>
          <legend>{t('people.sees')}</legend>
          {sees.map(({ narrow, text }) => (
            <label key={text} className="check">
              <input
                type="radio"
                name="sees"
                checked={isNarrow === narrow}
                onChange={() => setNarrow(narrow)}
              />
              {t(text)}
            </label>
          ))}
        </fieldset>
      )}
      {canNarrow && (isNarrow || packages.length === 0) && (
        <p className="quiet">{t('people.onlyPackages.what')}</p>
      )}
      {canNarrow && isNarrow && (
        <PackageChoice
          legend={t('settings.packages')}
          chosen={packageIds}
          onChoose={standing.setPackageIds}
        />
      )}
      {isIncomplete && (
        <p className="wrong" role="alert">
          {t('people.choosePackage')}
        </p>
      )}
    </>
  );
}
