import { type FormEvent, useRef, useState } from 'react';
import type { StaffRole } from '#shared/contracts/team-values';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { inviteStaff } from './api.ts';
import { RoleChoice } from './ChangeRole.tsx';

const EMPTY = { name: '', email: '' };

export function InviteForm({ onInvited }: { onInvited(): void }) {
  const [person, setPerson] = useState(EMPTY);
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
    toast(`The invitation went to ${answer.value.email}.`);
    setPerson(EMPTY);
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
