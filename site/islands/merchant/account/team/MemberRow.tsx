import { useId, useState } from 'react';
import type { Member } from '#shared/contracts/staff/team';
import { type StaffRole, staffRoles } from '#shared/contracts/staff/team-values';
import { partners } from '#shared/partners';
import { roleWords } from '#shared/text/staff-roles';
import { leaveTo } from '#site/islands/merchant/api/api.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { changeMember, logOutMember, removeFactors, removeFromTeam } from '../api.ts';

/** Changes a member's role, which takes effect with their next request. */
export function ChangeRole({ member, onChanged }: { member: Member; onChanged(): void }) {
  const { id, name, email, role: currentRole, is_you } = member;
  const [role, setRole] = useState<StaffRole>(currentRole);
  const displayName = name || email;
  return (
    <ConfirmedAction
      label="Change role"
      labelSuffix={`of ${displayName}`}
      title={is_you ? 'Change your role?' : `Change the role of ${displayName}?`}
      confirmLabel="Change role"
      runAction={() => changeMember(id, { role })}
      successText={`${displayName} is now ${roleWords[role].withArticle}.`}
      // A change of one's own role also changes what the app may show.
      onDone={() => (is_you && role !== currentRole ? leaveTo('/') : onChanged())}
    >
      <RoleChoice role={role} onChange={setRole} />
      {is_you && currentRole === 'admin' && role !== 'admin' && (
        <p>You can then no longer undo this yourself: another administrator has to.</p>
      )}
    </ConfirmedAction>
  );
}

type ChoiceProps = { role: StaffRole; onChange(role: StaffRole): void };

export function RoleChoice({ role, onChange }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="role-choice">
      <legend className="label">Role</legend>
      {staffRoles.map((option) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === role} onChange={() => onChange(option)} />
          <span>
            <strong>{roleWords[option].name}</strong>{' '}
            <span className="account-sub">{roleWords[option].permissions}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type Props = { member: Member; onChanged(): void };

export function MemberRow({ member, onChanged }: Props) {
  const { id, email, name, role, is_confirmed, is_you, uses_crm, last_login_at, has_factor } = member;
  const displayName = name || email;
  return (
    <li>
      <span className="account-main">
        <strong>{displayName}</strong>
        {is_you && ' (you)'}
        {name && <span className="account-sub">{email}</span>}
        <span className="account-sub">
          {roleWords[role].name}, {uses_crm ? `through ${partners.crm}` : 'by invitation'}
          {last_login_at ? `, last login ${formatWhen(last_login_at)}` : ', never logged in'}
        </span>
        {role === 'admin' && !is_confirmed && (
          <span className="account-sub">
            <Badge tone="warn" icon="warn">
              Unconfirmed
            </Badge>{' '}
            Administrator because they connected the account first.
          </span>
        )}
      </span>
      <span className="account-actions">
        {role === 'admin' && !is_confirmed && (
          <ConfirmedAction
            label="Confirm"
            labelSuffix={displayName}
            title={`Is ${displayName} an administrator here?`}
            confirmLabel="Confirm"
            runAction={() => changeMember(id, { is_confirmed: true })}
            successText={`${displayName} is confirmed as an administrator.`}
            onDone={onChanged}
          >
            <p>
              They stay an administrator until their role is changed. To hand over, first make someone else an
              administrator.
            </p>
          </ConfirmedAction>
        )}
        <ChangeRole member={member} onChanged={onChanged} />
        {!is_you && (
          <ConfirmedAction
            label="Log out everywhere"
            labelSuffix={displayName}
            title={`Log ${displayName} out on every device?`}
            confirmLabel="Log out"
            isDestructive
            runAction={() => logOutMember(id)}
            successText={`${displayName} was logged out on every device.`}
            onDone={onChanged}
          >
            <p>
              Use this if they lost a phone or laptop, or left a shared computer logged in. They can log in again at
              once.
            </p>
          </ConfirmedAction>
        )}
        {has_factor && !is_you && (
          <ConfirmedAction
            label="Reset login"
            labelSuffix={`of ${displayName}`}
            title={`Remove the passkeys and the PIN of ${displayName}?`}
            confirmLabel="Remove"
            isDestructive
            runAction={() => removeFactors(id)}
            successText={`The passkeys and the PIN of ${displayName} were removed.`}
            onDone={onChanged}
          >
            <p>
              Use this if they lost a device or forgot the PIN. We tell them by email, and they set new ones with a code
              that we send to {email}. This does not log them out. If they lost a device, also use Log out everywhere.
            </p>
          </ConfirmedAction>
        )}
        <ConfirmedAction
          label="Remove"
          labelSuffix={displayName}
          title={is_you ? 'Remove yourself from this team?' : `Remove ${displayName} from this team?`}
          confirmLabel="Remove"
          isDestructive
          runAction={() => removeFromTeam(id)}
          successText={`${displayName} was removed.`}
          onDone={() => (is_you ? leaveTo('/logout') : onChanged())}
        >
          <p>
            {is_you ? 'You are' : 'They are'} logged out on every device at once, and cannot log in until someone
            invites {is_you ? 'you' : 'them'} again. The audit trail keeps what {is_you ? 'you' : 'they'} did.
          </p>
        </ConfirmedAction>
      </span>
    </li>
  );
}
