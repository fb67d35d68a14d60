import { useEffect, useState } from 'react';
import type { InvitationReply } from '#shared/contracts/content/content';
import type { InvitationBody } from '#shared/contracts/content/content-request';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { post } from '../api.ts';
import { readInvitation } from '../parse-response.ts';
import { takeReturn } from '../token.ts';
import { takeKey, useLateKey } from './fields.ts';
import { PendingCard } from './PendingCard.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/sign-in.css';

type Invited = { key: string; to: InvitationReply | null; failure: string };

/** Registers an account: the first owner's, an invited one, or a pending one. */
export function RegisterPage() {
  const [invited, setInvited] = useState<Invited | null>(() => {
    const key = takeKey('invitation');
    return key ? { key, to: null, failure: '' } : null;
  });
  const [isPending, setPending] = useState(false);
  useLateKey('invitation', (late) => {
    setInvited({ key: late, to: null, failure: '' });
    setPending(false);
  });
  const key = invited?.key;
  useEffect(() => {
    if (!key) return;
    void post('/api/auth/invitation', { invitation: key } satisfies InvitationBody, readInvitation).then((answer) =>
      setInvited(answer.ok ? { key, to: answer.value, failure: '' } : { key, to: null, failure: answer.error.message }),
    );
  }, [key]);

  return (
    <main className="app-main" id="main">
      {isPending ? (
        <PendingCard onBack={() => window.location.assign('/cms/login')} />
      ) : (
        <RegisterForm
          key={invited?.to?.email}
          invitation={invited?.to ? { key: invited.key, ...invited.to } : null}
          notice={invited?.failure ? <Banner tone="warn" lead={invited.failure} /> : null}
          onRegistered={({ status }) =>
            status === 'active' ? window.location.replace(takeReturn()) : setPending(true)
          }
        />
      )}
      <p className="sign-in-merchant">
        Here for invoices and payments? <a href="/login">Log in with your CRM account</a>
      </p>
    </main>
  );
}
