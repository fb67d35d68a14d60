import { useId, useState } from 'react';
import type { Member } from '#shared/contracts/team';
import { type StaffRole, staffRoles } from '#shared/contracts/team-values';
import { roleWords } from '#shared/text/staff-roles';
import { leave } from '#site/islands/merchant/api/api.ts';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { changeMember } from './api.ts';

/** Another role for a member; it holds from their next press on. */
export function ChangeRole({ member, onChanged }: { member: Member; onChanged(): void }) {
  const { id, name, email, role: present, is_you } = member;
  const [role, setRole] = useState<StaffRole>(present);
  const who = name || email;
  return (
    <Act
      label="Change role"
      about={`of ${who}`}
      title={`What may ${is_you ? 'you' : who} do here?`}
      verb="Change role"
      run={() => changeMember(id, { role })}
      done={`${who} is now ${roleWords[role].as}.`}
      // What this person may see has changed too.
      onDone={() => (is_you && role !== present ? leave('/') : onChanged())}
    >
      <RoleChoice role={role} onChange={setRole} />
      {is_you && present === 'admin' && role !== 'admin' && (
        <p>You can then no longer undo this yourself: another administrator has to.</p>
      )}
    </Act>
  );
}

type ChoiceProps = { role: StaffRole; onChange(role: StaffRole): void };

export function RoleChoice({ role, onChange }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="role-choice">
      <legend className="label">Role</legend>
      {staffRoles.map((one) => (
        <label key={one}>
          <input type="radio" name={name} value={one} checked={one === role} onChange={() => onChange(one)} />
          <span>
            <strong>{roleWords[one].name}</strong> <span className="account-sub">{roleWords[one].may}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
