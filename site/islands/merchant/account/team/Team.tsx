import { type FormEvent, useRef, useState } from 'react';
import type { Invitation, Team as TeamReply } from '#shared/contracts/staff/team';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { partners } from '#shared/partners';
import { roleWords } from '#shared/text/staff-roles';
import { LoadFailure, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { AccountFrame, Columns } from '../AccountFrame.tsx';
import { fetchTeam, inviteStaff, removeFromTeam } from '../api.ts';
import { MemberRow, RoleChoice } from './MemberRow.tsx';
import { RefundRights } from './RefundRights.tsx';

const EMPTY_PERSON = { name: '', email: '' };

export function InviteForm({ onInvited }: { onInvited(): void }) {
  const [person, setPerson] = useState(EMPTY_PERSON);
  const [role, setRole] = useState<StaffRole>('desk');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const errorOf = (field: string) => (error?.fields.includes(field) ? error.message : undefined);

  const invite = async () => {
    setBusy(true);
    setError(null);
    const answer = await inviteStaff({ ...person, role });
    setBusy(false);
    if (!answer.ok) {
      setError(answer.error);
      const [field = 'name'] = answer.error.fields;
      return form.current?.querySelector<HTMLElement>(`#invite-${field}`)?.focus();
    }
    toast(`The invitation was sent to ${answer.value.email}.`);
    setPerson(EMPTY_PERSON);
    setRole('desk');
    onInvited();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void invite();
  };
  return (
    <form className="account-form" noValidate ref={form} onSubmit={submit}>
      {error && error.fields.length === 0 && <Banner tone="bad" lead={error.message} />}
      <div className="account-two">
        <Field
          id="invite-name"
          label="Name"
          autoComplete="off"
          value={person.name}
          error={errorOf('name')}
          onChange={({ target }) => setPerson({ ...person, name: target.value })}
        />
        <Field
          id="invite-email"
          label="Email"
          type="email"
          autoComplete="off"
          value={person.email}
          error={errorOf('email')}
          onChange={({ target }) => setPerson({ ...person, email: target.value })}
        />
      </div>
      <RoleChoice role={role} onChange={setRole} />
      <div>
        <Button kind="primary" type="submit" busy={isBusy}>
          Invite
        </Button>
      </div>
    </form>
  );
}

/** The account's members, their roles, invitations and refund rights. */
export const Team = () => (
  <AccountFrame title="Team" right="administer">
    <TeamLoader />
  </AccountFrame>
);

function TeamLoader() {
  const load = useLoad('team', 'Failed to fetch the team', fetchTeam);
  const { value: team, failure, reload } = load;
  return (
    <>
      <LoadFailure lead="The team could not be loaded." load={load} />
      {!team && !failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {team && <Sections team={team} onChanged={reload} />}
    </>
  );
}

function Sections({ team, onChanged }: { team: TeamReply; onChanged(): void }) {
  return (
    <Columns
      first={
        <section className="card account-part" aria-labelledby="members">
          <h2 id="members">Members</h2>
          <ul className="account-rows">
            {team.members.map((member) => (
              <MemberRow key={member.id} member={member} onChanged={onChanged} />
            ))}
          </ul>
        </section>
      }
      second={
        <>
          <section className="card account-part" aria-labelledby="invite">
            <h2 id="invite">Invite a colleague</h2>
            <p className="app-quiet">
              They get an email with a link that works once, within seven days. They need no {partners.crm} account.
            </p>
            <InviteForm onInvited={onChanged} />
            {team.invitations.length > 0 && (
              <>
                <h3>Open invitations</h3>
                <ul className="account-rows">
                  {team.invitations.map((invitation) => (
                    <InvitationRow key={invitation.id} invitation={invitation} onChanged={onChanged} />
                  ))}
                </ul>
              </>
            )}
          </section>
          <RefundRights team={team} onChanged={onChanged} />
        </>
      }
    />
  );
}

function InvitationRow({ invitation, onChanged }: { invitation: Invitation; onChanged(): void }) {
  const { id, email, name, role, invited_by, ends_at } = invitation;
  return (
    <li>
      <span className="account-main">
        <strong>{name}</strong>
        <span className="account-sub">{email}</span>
        <span className="account-sub">
          {roleWords[role].name}
          {invited_by && `, invited by ${invited_by}`}, open until {formatDay(ends_at)}
        </span>
      </span>
      <ConfirmedAction
        label="Cancel"
        labelSuffix={`the invitation of ${name}`}
        title={`Cancel the invitation of ${name}?`}
        confirmLabel="Cancel invitation"
        cancelLabel="Keep invitation"
        isDestructive
        runAction={() => removeFromTeam(id)}
        successText="The invitation was cancelled."
        onDone={onChanged}
      >
        <p>The link in the email to {email} stops working.</p>
      </ConfirmedAction>
    </li>
  );
}
