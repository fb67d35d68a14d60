import { useForm } from 'react-hook-form';
import type { InviteBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { call, readDone } from '../api.ts';
import { ErrorBanner } from '../session/ErrorBanner.tsx';
import { emailRules } from '../session/fields.ts';
import { useError } from '../session/use-error.ts';
import { RoleOptions } from './RoleOptions.tsx';

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
          label="E-mail"
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
