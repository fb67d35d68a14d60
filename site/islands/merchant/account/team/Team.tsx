import type { Invitation, Team as TeamReply } from '#shared/contracts/team';
import { partners } from '#shared/partners';
import { roleWords } from '#shared/text/staff-roles';
import { LoadFailure } from '#site/islands/merchant/parts/LoadFailure.tsx';
import { useLoad } from '#site/islands/merchant/parts/use-load.ts';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { fetchTeam, removeFromTeam } from './api.ts';
import { InviteForm } from './InviteForm.tsx';
import { MemberRow } from './MemberRow.tsx';
import { RefundRights } from './RefundRights.tsx';

/** Who may come in, with which rights. */
export const Team = () => (
  <AccountFrame title="Team" right="administer">
    <Loaded />
  </AccountFrame>
);

function Loaded() {
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
      {team && <Parts team={team} onChanged={reload} />}
    </>
  );
}

function Parts({ team, onChanged }: { team: TeamReply; onChanged(): void }) {
  return (
    <>
      <section className="card account-part" aria-labelledby="members">
        <h2 id="members">Who works here</h2>
        <ul className="account-rows">
          {team.members.map((member) => (
            <MemberRow key={member.id} member={member} onChanged={onChanged} />
          ))}
        </ul>
      </section>
      <section className="card account-part" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <p className="app-quiet">
          They get a link by email, which works once, for seven days. They need no account of {partners.crm}.
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
      <Act
        label="Take back"
        about={`the invitation of ${name}`}
        title={`Take back the invitation of ${name}?`}
        verb="Take back"
        destroys
        run={() => removeFromTeam(id)}
        done="The invitation was taken back."
        onDone={onChanged}
      >
        <p>The link in the email to {email} no longer works then.</p>
      </Act>
    </li>
  );
}
