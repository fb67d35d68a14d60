import { type ReactNode, useEffect, useState } from 'react';
import type { ContentUser, InvitationReply } from '#shared/contracts/content/content';
import type { InvitationBody, RegisterBody } from '#shared/contracts/content/content-request';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { post, readInvitation, readLogin, storeRegisteredToken, storeToken, takeReturnPath } from '../api.ts';
import { emailRules, newPasswordRules, required, samePassword } from './form-rules.ts';
import { takeKey, useKeyFromHashChange } from './link-key.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { ErrorBanner, PendingCard, useError } from './notices.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/sign-in.css';
import { useForm } from 'react-hook-form';
import { roleNames } from '#shared/contracts/content/content-values';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';

type Values = { name: string; email: string; password: string; confirmPassword: string; setupCode: string };
type Props = {
  invitation: (InvitationReply & { key: string }) | null;
  notice: ReactNode;
  onRegistered(user: ContentUser): void;
};

export function RegisterForm({ invitation, notice, onRegistered }: Props) {
  const [hasCode, setHasCode] = useState(false);
  const form = useForm<Values>({
    defaultValues: { name: '', email: invitation?.email ?? '', password: '', confirmPassword: '', setupCode: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['name', 'email', 'password', 'confirmPassword', 'setupCode']);

  const submit = form.handleSubmit(async ({ name, email, password, setupCode }) => {
    clear();
    const proof = invitation ? { invitation: invitation.key } : hasCode ? { setupCode: setupCode.trim() } : {};
    const body: RegisterBody = { name, email, password, ...proof };
    const answer = await post('/api/auth/register', body, readLogin);
    if (!answer.ok) return show(answer.error);
    const { token, user } = answer.value;
    storeRegisteredToken(token);
    if (user.status === 'active') storeToken(token);
    onRegistered(user);
  });

  return (
    <section className="card app-narrow" aria-labelledby="register">
      <h1 id="register" tabIndex={-1}>
        Create an account
      </h1>
      {notice}
      <p className="app-quiet">
        {invitation
          ? `You are invited to write for this site as ${roleNames[invitation.role].withArticle}.`
          : 'For people who write for this site. An owner approves each account.'}
      </p>
      <ErrorBanner error={error} lead="Registration failed" ref={banner} onDismiss={clear} />
      <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          id="name"
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...form.register('name', required('Please enter your name.'))}
        />
        <Field
          id="email"
          label="Email"
          type="email"
          autoComplete="username"
          readOnly={invitation !== null}
          error={errors.email?.message}
          {...form.register('email', emailRules)}
        />
        <NewPasswordFields
          id="password"
          label="Password"
          password={form.register('password', newPasswordRules)}
          confirmPassword={form.register('confirmPassword', samePassword)}
          errors={errors}
        />
        {hasCode && (
          <Field
            id="setup-code"
            label="Set-up code"
            hint="It makes you the first owner of this site, once."
            autoComplete="off"
            spellCheck={false}
            error={errors.setupCode?.message}
            {...form.register('setupCode', required('Please enter the set-up code.'))}
          />
        )}
        <Button kind="primary" wide type="submit" busy={isSubmitting}>
          Register
        </Button>
      </form>
      <p className="sign-in-links">
        <a href="/cms/login">I have an account</a>
        {!invitation && !hasCode && (
          <button type="button" className="text-button" onClick={() => setHasCode(true)}>
            I have a set-up code
          </button>
        )}
      </p>
    </section>
  );
}

type LinkInvitation = { key: string; reply: InvitationReply | null; failure: string };

/** Registers an account: the first owner's, an invited one, or a pending one. */
export function RegisterPage() {
  const [linkInvitation, setLinkInvitation] = useState<LinkInvitation | null>(() => {
    const key = takeKey('invitation');
    return key ? { key, reply: null, failure: '' } : null;
  });
  const [isPending, setPending] = useState(false);
  useKeyFromHashChange('invitation', (newKey) => {
    setLinkInvitation({ key: newKey, reply: null, failure: '' });
    setPending(false);
  });
  const key = linkInvitation?.key;
  useEffect(() => {
    if (!key) return;
    void post('/api/auth/invitation', { invitation: key } satisfies InvitationBody, readInvitation).then((answer) =>
      setLinkInvitation(
        answer.ok ? { key, reply: answer.value, failure: '' } : { key, reply: null, failure: answer.error.message },
      ),
    );
  }, [key]);

  return (
    <main className="app-main" id="main">
      {isPending ? (
        <PendingCard onBack={() => window.location.assign('/cms/login')} />
      ) : (
        <RegisterForm
          key={linkInvitation?.reply?.email}
          invitation={linkInvitation?.reply ? { key: linkInvitation.key, ...linkInvitation.reply } : null}
          notice={linkInvitation?.failure ? <Banner tone="warn" lead={linkInvitation.failure} /> : null}
          onRegistered={({ status }) =>
            status === 'active' ? window.location.replace(takeReturnPath()) : setPending(true)
          }
        />
      )}
      <p className="sign-in-merchant">
        Here for invoices and payments? <a href="/login">Log in with your CRM account</a>
      </p>
    </main>
  );
}
