import { useCallback, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { UsersReply } from '#shared/contracts/content/content';
import type { InviteBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { call, readDone } from '../api.ts';
import { emailRules } from '../session/form-rules.ts';
import { ErrorBanner, useError } from '../session/notices.tsx';
import { ActiveUser, CancelInvitation, PendingUser, RoleOptions } from './Person.tsx';

export function InviteForm({ onInvited }: { onInvited(): void }) {
  const form = useForm<InviteBody>({ defaultValues: { email: '', role: 'editor' } });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['email']);
  const submit = form.handleSubmit(async (values) => {
    clear();
    const answer = await call('/api/cms/users/invitations', readDone, sendJson('POST', values));
    if (!answer.ok) return show(answer.error);
    toast(`Invited ${values.email.trim()}`);
    form.reset();
    onInvited();
  });
  return (
    <>
      <ErrorBanner error={error} lead="The invitation could not be sent." ref={banner} onDismiss={clear} />
      <form className="cms-invite" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          id="invite-email"
          label="Email"
          type="email"
          autoComplete="off"
          error={errors.email?.message}
          {...form.register('email', emailRules)}
        />
        <div className="field">
          <label className="label" htmlFor="invite-role">
            Role
          </label>
          <Select id="invite-role" {...form.register('role')}>
            <RoleOptions />
          </Select>
        </div>
        <Button kind="primary" type="submit" busy={isSubmitting}>
          Invite
        </Button>
      </form>
    </>
  );
}

const readUsers = readWith(UsersReply);

/** The members of the content area: owners invite, approve, change and remove them. */
export function UserScreen() {
  const [people, setPeople] = useState<UsersReply | null>(null);
  const [failure, setFailure] = useState('');
  const [refusal, setRefusal] = useState('');
  const loadUsers = useCallback(async () => {
    const answer = await call('/api/cms/users', readUsers);
    if (answer.ok) setPeople(answer.value);
    setFailure(answer.ok ? '' : answer.error.message);
  }, []);
  useEffect(() => {
    void loadUsers();
  }, [loadUsers]);
  const changedPart = useRef('');
  // A removed row's button loses the focus, so focus the section, or the list of users if the section is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are removed when the list is reloaded
  useEffect(() => {
    const part = changedPart.current;
    changedPart.current = '';
    if (part && document.activeElement === document.body)
      (document.getElementById(part) ?? document.getElementById('people'))?.focus();
  }, [people]);
  const callbacksFor = (part: string) => ({
    onChanged: () => {
      changedPart.current = part;
      void loadUsers();
    },
    onFailed: setRefusal,
  });
  const waiting = people?.users.filter(({ status }) => status === 'pending') ?? [];
  const active = people?.users.filter(({ status }) => status === 'active') ?? [];

  return (
    <div className="cms-stack app-wide">
      <h1 tabIndex={-1}>Users</h1>
      {refusal && <Banner tone="bad" lead={refusal} onDismiss={() => setRefusal('')} />}
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure('')} />}
      {!people && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {waiting.length > 0 && (
        <section className="card" aria-labelledby="waiting">
          <h2 id="waiting" tabIndex={-1}>
            Waiting for you
          </h2>
          <ul className="cms-people">
            {waiting.map((user) => (
              <PendingUser key={user.id} user={user} {...callbacksFor('waiting')} />
            ))}
          </ul>
        </section>
      )}
      {people && (
        <section className="card" aria-labelledby="people">
          <h2 id="people" tabIndex={-1}>
            Who writes here
          </h2>
          <ul className="cms-people">
            {active.map((user) => (
              <ActiveUser key={user.id} user={user} {...callbacksFor('people')} />
            ))}
          </ul>
        </section>
      )}
      {people && (
        <section className="card cms-stack" aria-labelledby="invite">
          <h2 id="invite" tabIndex={-1}>
            Invite someone
          </h2>
          <InviteForm onInvited={() => void loadUsers()} />
          {people.invitations.length > 0 && (
            <ul className="cms-people" aria-label="Open invitations">
              {people.invitations.map((invitation) => (
                <li key={invitation.id}>
                  <span className="cms-person">
                    {invitation.email}
                    <span className="cms-sub">
                      {invitation.role}, invited by {invitation.invitedBy}, ends {formatDay(invitation.endsAt)}
                    </span>
                  </span>
                  <CancelInvitation invitation={invitation} {...callbacksFor('invite')} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {/* Shown only once the lists have loaded, since they would move it from under the pointer. */}
      {(people || failure) && (
        <p>
          <AppLink href="/cms/audit">Audit trail</AppLink>
          <span className="app-quiet">: who did what in this content area.</span>
        </p>
      )}
    </div>
  );
}
