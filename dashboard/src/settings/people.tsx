/** Who is in the account, with what each may do, and who is invited. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Invitation, Member, NewInvitation } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { CopyButton } from '../frame/copy-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { waysQuery } from '../frame/sign-in-form.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useMembers, usePackageNames, useWholeList } from '../whole-lists.ts';
import { InvitationForm, MemberForm } from './standing-form.tsx';

const csvHeads = [
  ...(['personId', 'name', 'email', 'role', 'packageIds', 'hasSecondFactor'] as const),
  'lastSeenAt',
] as const;

export function People() {
  const { t } = useReader();
  const [isInviting, setInviting] = useState(false);
  const [changed, setChanged] = useState<Member>();
  const [made, setMade] = useState<NewInvitation>();
  const { data, error, refetch } = useMembers();
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <>
      <section className="panel" aria-label={t('settings.people')}>
        <PanelHead title={t('settings.people')}>
          <button type="button" className="primary" onClick={() => setInviting(true)}>
            {t('people.invite')}
          </button>
          <TableCsvButton name="people" table={() => tableOf(data ?? [], csvHeads)} />
        </PanelHead>
        {data ? <MemberTable members={data} onChange={setChanged} /> : <Loading />}
      </section>
      <Invitations />
      {isInviting && (
        <InvitationForm
          onClose={() => setInviting(false)}
          onMade={(invitation) => {
            setInviting(false);
            setMade(invitation);
          }}
        />
      )}
      {changed && <MemberForm member={changed} onClose={() => setChanged(undefined)} />}
      {made && <ShownLink made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly onChange: (member: Member) => void;
}

function MemberTable({ members, onChange }: MemberTableProps) {
  const { t, formats } = useReader();
  const { timeZone, person } = usePerson();
  const { data: ways } = useQuery(waysQuery);
  const heads = ['name', 'role', 'sees', 'lastSeen', 'actions'] as const;
  const remove = useChange(
    (id: number) => server.manage.removeMember(id),
    'members',
    'audit',
    'person',
  );
  const calledOf = ({ name, email }: Member) => (email === null ? name : `${name} (${email})`);
  return (
    <RecordTable
      caption={t('settings.people')}
      heads={heads.map((head) => t(`people.${head}`))}
      empty={t('people.none')}
      rows={members.map((member) => ({
        key: member.personId,
        cells: [
          <Named key="name" member={member} isOwn={member.personId === person?.personId} />,
          <span key="role">
            {t(`role.${member.role}`)}
            {member.isByClaim && <span className="tag">{t('people.byClaim')}</span>}
          </span>,
          <Sees key="sees" packageIds={member.packageIds} />,
          member.lastSeenAt === null
            ? t('people.never')
            : formats.instant(member.lastSeenAt, timeZone),
          <span key="actions" className="actions wrapping">
            <button
              type="button"
              className="plain"
              aria-label={t('action.of', { action: t('form.change'), name: calledOf(member) })}
              onClick={() => onChange(member)}
            >
              {t('form.change')}
            </button>
            {ways?.mail && ways.password && member.email !== null && (
              <ConfirmButton
                of={calledOf(member)}
                question={t('people.reset.what')}
                act={() => server.manage.sendReset(member.personId)}
              >
                {t('people.reset')}
              </ConfirmButton>
            )}
            <ConfirmButton
              of={calledOf(member)}
              question={t('people.remove.what')}
              act={() => remove.mutateAsync(member.personId)}
            >
              {t('people.remove')}
            </ConfirmButton>
          </span>,
        ],
      }))}
    />
  );
}

function Named({ member, isOwn }: { readonly member: Member; readonly isOwn: boolean }) {
  const { t } = useReader();
  return (
    <>
      <bdi>{member.name}</bdi>
      {isOwn && ` (${t('people.you')})`}
      {member.email !== null && <span className="tag">{member.email}</span>}
      {member.hasSecondFactor && <span className="tag">{t('people.secondFactor')}</span>}
    </>
  );
}

/** The packages that somebody sees alone, by name. */
function Sees({ packageIds }: { readonly packageIds: readonly number[] | null }): ReactNode {
  const { t } = useReader();
  const nameOf = usePackageNames();
  if (packageIds === null) return t('people.everything');
  return <span dir="auto">{packageIds.map(nameOf).join(', ')}</span>;
}

function Invitations() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch } = useWholeList('invitations', server.manage.invitations);
  const revoke = useChange(
    (id: number) => server.manage.revokeInvitation(id),
    ...['invitations', 'audit'],
  );
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const heads = ['email', 'role', 'sees', 'by', 'until', 'actions'] as const;
  const nameOf = ({ email, invitationId }: Invitation) => `${email} (${invitationId})`;
  return (
    <section className="panel" aria-label={t('people.invitations')}>
      <PanelHead title={t('people.invitations')} />
      {data === undefined && <Loading />}
      {data && (
        <RecordTable
          caption={t('people.invitations')}
          heads={heads.map((head) => t(`people.${head}`))}
          empty={t('people.noInvitations')}
          rows={data.map((one) => ({
            key: one.invitationId,
            cells: [
              one.email,
              t(`role.${one.role}`),
              <Sees key="sees" packageIds={one.packageIds} />,
              one.createdByName,
              formats.instant(one.expiresAt, timeZone),
              <ConfirmButton
                key="revoke"
                of={nameOf(one)}
                question={t('people.revoke.what')}
                act={() => revoke.mutateAsync(one.invitationId)}
              >
                {t('people.revoke')}
              </ConfirmButton>,
            ],
          }))}
        />
      )}
    </section>
  );
}

interface ShownLinkProps {
  readonly made: NewInvitation;
  readonly onClose: () => void;
}

function ShownLink({ made: { email, path, isMailed }, onClose }: ShownLinkProps) {
  const { t } = useReader();
  const link = location.origin + path;
  return (
    <Dialog title={t('people.invited', { email })} onClose={onClose}>
      <p>{t(isMailed ? 'people.mailed' : 'people.notMailed')}</p>
      <p>{t('people.once')}</p>
      <div className="embed">
        <code className="block">{link}</code>
        <CopyButton text={link} />
      </div>
    </Dialog>
  );
}
