import { useEffect, useState } from 'react';
import { isTokenGood } from '../api.ts';
import { takeReturn } from '../token.ts';
import { ForgotForm } from './ForgotForm.tsx';
import { takeKey, useLateKey } from './fields.ts';
import { LoginForm } from './LoginForm.tsx';
import { PendingCard } from './PendingCard.tsx';
import { ResetForm } from './ResetForm.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/sign-in.css';

type View =
  | { kind: 'login'; notice: string }
  | { kind: 'forgot' }
  | { kind: 'reset'; key: string }
  | { kind: 'pending' };

const enter = () => window.location.replace(takeReturn());

/** The login of the content area. A member with a good token goes straight in. */
export function LoginPage() {
  const [view, setView] = useState<View>(() => {
    const key = takeKey('reset');
    return key ? { kind: 'reset', key } : { kind: 'login', notice: '' };
  });
  useEffect(() => {
    void isTokenGood().then((isGood) => isGood && enter());
  }, []);
  useLateKey('reset', (key) => setView({ kind: 'reset', key }));
  const toLogin = (notice = '') => setView({ kind: 'login', notice });

  return (
    <main className="app-main" id="main">
      {view.kind === 'login' && (
        <LoginForm
          notice={view.notice}
          onLoggedIn={({ status }) => (status === 'active' ? enter() : setView({ kind: 'pending' }))}
          onForgot={() => setView({ kind: 'forgot' })}
        />
      )}
      {view.kind === 'forgot' && <ForgotForm onBack={() => toLogin()} />}
      {view.kind === 'reset' && (
        <ResetForm
          key={view.key}
          reset={view.key}
          onDone={() => toLogin('Your password is changed. Log in with the new one.')}
          onAskAgain={() => setView({ kind: 'forgot' })}
        />
      )}
      {view.kind === 'pending' && <PendingCard onBack={() => toLogin()} />}
      <p className="sign-in-merchant">
        Here for invoices and payments? <a href="/login">Log in with your CRM account</a>
      </p>
    </main>
  );
}
