import { type ReactNode, useState } from 'react';
import type { InvitationItem, Role, UserItem } from '#shared/contracts/content/content';
import type { RoleBody } from '#shared/contracts/content/content-request';
import { roleNames, roles } from '#shared/contracts/content/content-values';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { call, readDone } from '../api.ts';

export const RoleOptions = () =>
  roles.map((role) => (
    <option key={role} value={role}>
      {roleNames[role].name}
    </option>
  ));

type Callbacks = { onChanged(): void; onFailed(message: string): void };
type Props = Callbacks & { user: UserItem };

/** Makes one change at a time; the screen shows an error above the lists. */
function useChange({ onChanged, onFailed }: Callbacks) {
  const [isBusy, setBusy] = useState(false);
  const change = async (path: string, init: RequestInit): Promise<string | null> => {
    setBusy(true);
    const answer = await call(path, readDone, init);
    setBusy(false);
    onFailed(answer.ok ? '' : answer.error.message);
    // Also after a refusal: another owner may have changed the account.
    onChanged();
    return answer.ok ? null : answer.error.message;
  };
  return { isBusy, change };
}

const UserName = ({ user }: { user: UserItem }) => (
  <span className="cms-person">
    <strong>{user.name}</strong>
    {user.isYou && ' (you)'}
    <span className="cms-sub">
      {user.email}
      {user.lastLoginAt && `, last login ${formatWhen(user.lastLoginAt)}`}
    </span>
  </span>
);

type RemovalProps = Pick<ReturnType<typeof useChange>, 'isBusy' | 'change'> & {
  user: UserItem;
  verb: string;
  title: string;
  children: ReactNode;
};

/** Removes an account, after a dialog that explains the consequences. */
function RemoveUserButton({ user, verb, title, isBusy, change, children }: RemovalProps) {
  const [isConfirming, setConfirming] = useState(false);
  const remove = () => change(pathOf(user), { method: 'DELETE' });
  return (
    <>
      <button type="button" className="text-button cms-delete" onClick={() => setConfirming(true)}>
        {verb}
        <span className="sr-only"> {user.name}</span>
      </button>
      {isConfirming && (
        <Dialog
          title={title}
          confirmLabel={verb}
          isDestructive
          busy={isBusy}
          failure={null}
          onConfirm={() => void remove().then(() => setConfirming(false))}
          onCancel={() => setConfirming(false)}
        >
          <p>{children}</p>
        </Dialog>
      )}
    </>
  );
}

const pathOf = ({ id }: UserItem) => `/api/cms/users/${id}`;

export function ActiveUser({ user, ...callbacks }: Props) {
  const { isBusy, change } = useChange(callbacks);
  return (
    <li>
      <UserName user={user} />
      <Select
        aria-label={`Role of ${user.name}`}
        value={user.role}
        disabled={isBusy}
        onChange={({ target }) => void change(pathOf(user), sendJson('PUT', { role: target.value }))}
      >
        <RoleOptions />
      </Select>
      <RemoveUserButton
        user={user}
        verb="Remove"
        title={user.isYou ? 'Remove your own account?' : `Remove ${user.name}?`}
        isBusy={isBusy}
        change={change}
      >
        {user.email} can no longer log in here. What they wrote stays.
      </RemoveUserButton>
    </li>
  );
}

/** An account that registered without an invitation. */
export function PendingUser({ user, ...callbacks }: Props) {
  const { isBusy, change } = useChange(callbacks);
  const approve = (role: Role) => change(`${pathOf(user)}/approve`, sendJson<RoleBody>('POST', { role }));
  return (
    <li>
      <UserName user={user} />
      {roles.map((role) => (
        <Button key={role} size="sm" busy={isBusy} onClick={() => void approve(role)}>
          Approve as {role}
        </Button>
      ))}
      <RemoveUserButton user={user} verb="Refuse" title={`Refuse ${user.name}?`} isBusy={isBusy} change={change}>
        The account of {user.email} is deleted. They can register again.
      </RemoveUserButton>
    </li>
  );
}

export function CancelInvitation({ invitation: { id, email }, onChanged }: Callbacks & { invitation: InvitationItem }) {
  return (
    <ConfirmedAction
      label="Cancel invitation"
      labelSuffix={`of ${email}`}
      title={`Cancel the invitation of ${email}?`}
      confirmLabel="Cancel invitation"
      cancelLabel="Keep it"
      isDestructive
      runAction={() => call(`/api/cms/users/invitations/${id}`, readDone, { method: 'DELETE' })}
      successText="Invitation cancelled"
      onDone={onChanged}
    >
      <p>The link in their mail stops working.</p>
    </ConfirmedAction>
  );
}
