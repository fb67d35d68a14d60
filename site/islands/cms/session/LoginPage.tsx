import { useEffect, useState } from 'react';
import { describeInterruption, isTokenValid, post, storeToken, takeReturnPath } from '../api.ts';
import { ForgotForm, ResetForm } from './ForgotPassword.tsx';
import { required } from './form-rules.ts';
import { takeKey, useKeyFromHashChange } from './link-key.ts';
import { ErrorBanner, PendingCard, useError } from './notices.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/parts/page/login-card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/sign-in.css';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { type ContentUser, LoginReply } from '#shared/contracts/content/content';
import type { LoginBody } from '#shared/contracts/content/content-request';
import { SecondFactorRequired } from '#shared/contracts/content/second-factor-reply';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { Lazy } from '#site/islands/ui/routing/Lazy.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

const secondStep = lazyScreen(() => import('./SecondStep.tsx').then((code) => code.SecondStep));
const loadError = <Banner tone="bad" lead="The page could not be loaded. Reload it and log in again." />;

/** For an account with a passkey, the reply to the correct password asks for it as a second step. */
const readFirstStep = readWith(z.union([SecondFactorRequired, LoginReply]));

type Props = { notice: string; onLoggedIn(user: ContentUser): void; onForgot(): void };

export function LoginForm({ notice, onLoggedIn, onForgot }: Props) {
  const form = useForm<LoginBody>({ defaultValues: { email: '', password: '' } });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, []);

  const submit = form.handleSubmit(async (values) => {
    clear();
    const answer = await post('/api/auth/login', values, readFirstStep);
    if (!answer.ok) return show(answer.error);
    if ('second' in answer.value) return setPasskeyOptions(answer.value.second);
    finishLogin(answer.value);
  });
  const finishLogin = ({ token, user }: LoginReply) => {
    if (user.status === 'active') storeToken(token);
    onLoggedIn(user);
  };
  const [passkeyOptions, setPasskeyOptions] = useState<object | null>(null);
  const returnToPassword = (message: string) => {
    setPasskeyOptions(null);
    show({ code: 'unauthorized', message, fields: [], status: 401 });
  };
  if (passkeyOptions)
    return (
      <Lazy
        screen={secondStep}
        props={{ options: passkeyOptions, onDone: finishLogin, onBack: returnToPassword }}
        failure={loadError}
      />
    );

  return (
    <section className="card login-card" aria-labelledby="login">
      <img className="mark" src="/favicon.svg" alt="" width="48" height="48" />
      <h1 id="login" tabIndex={-1}>
        Log in to write
      </h1>
      {notice && !error && <Banner tone="note" lead={notice} />}
      <ErrorBanner error={error} lead="Login failed" ref={banner} onDismiss={clear} />
      <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          id="email"
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...form.register('email', required('Please enter your email address.'))}
        />
        <Field
          id="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password', required('Please enter your password.'))}
        />
        <Button kind="primary" wide type="submit" busy={isSubmitting}>
          Log in
        </Button>
      </form>
      <p className="sign-in-links">
        <button type="button" className="text-button" onClick={onForgot}>
          Forgot your password?
        </button>
        <a href="/register">Create an account</a>
      </p>
    </section>
  );
}

type View =
  | { kind: 'login'; notice: string }
  | { kind: 'forgot' }
  | { kind: 'reset'; key: string }
  | { kind: 'pending' };

const openRequestedPage = () => window.location.replace(takeReturnPath());

/** The login of the content area. Members with a valid token skip it. */
export function LoginPage() {
  const [view, setView] = useState<View>(() => {
    const key = takeKey('reset');
    return key ? { kind: 'reset', key } : { kind: 'login', notice: describeInterruption() };
  });
  useEffect(() => {
    void isTokenValid().then((isValid) => isValid && openRequestedPage());
  }, []);
  useKeyFromHashChange('reset', (key) => setView({ kind: 'reset', key }));
  const showLogin = (notice = '') => setView({ kind: 'login', notice });

  return (
    <main className="app-main" id="main">
      {view.kind === 'login' && (
        <LoginForm
          notice={view.notice}
          onLoggedIn={({ status }) => (status === 'active' ? openRequestedPage() : setView({ kind: 'pending' }))}
          onForgot={() => setView({ kind: 'forgot' })}
        />
      )}
      {view.kind === 'forgot' && <ForgotForm onBack={() => showLogin()} />}
      {view.kind === 'reset' && (
        <ResetForm
          key={view.key}
          reset={view.key}
          onDone={() => showLogin('Your password is changed. Log in with the new one.')}
          onNewLink={() => setView({ kind: 'forgot' })}
        />
      )}
      {view.kind === 'pending' && <PendingCard onBack={() => showLogin()} />}
      <p className="sign-in-merchant">
        Here for invoices and payments? <a href="/login">Log in with your CRM account</a>
      </p>
    </main>
  );
}
