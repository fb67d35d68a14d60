import { useState } from 'react';
import { ClinicChoice, CodeField } from '#site/islands/merchant/login/CodeFields.tsx';
import { useCodeLogin } from '#site/islands/merchant/login/use-code-login.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import type { StepUpProps } from './props.ts';

/** For who has neither passkey nor PIN: a new login, by a mailed code in this very dialog or through the CRM. */
export function LogInAgain({ ways, message, calls, hasColleague, onLeave, onEnd }: StepUpProps) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const login = useCodeLogin(() => onEnd('proved'));
  const mail = async () => {
    const email = await calls.email();
    setFailure(email.ok ? null : email.error.message);
    if (email.ok) await login.mail(email.value);
  };
  const goToCrm = () => {
    onLeave();
    window.location.assign('/oauth/start');
  };
  return (
    <Dialog
      title="Is it still you?"
      verb={login.step === 'email' ? 'Email me a code' : 'Log in'}
      busy={login.isBusy}
      failure={failure ?? login.failure}
      onConfirm={() => void (login.step === 'email' ? mail() : login.enter(code))}
      onCancel={() => onEnd('cancelled')}
    >
      {login.step === 'email' && (
        <>
          <p>{message} What you typed stays as it is.</p>
          <p>With a passkey or a PIN, which you set under Account, this takes one press.</p>
          {ways.includes('admin') && !hasColleague && <p>Another administrator can also do it.</p>}
        </>
      )}
      {login.step === 'code' && (
        <>
          <p role="status">A code is on its way to your address.</p>
          <CodeField value={code} onChange={setCode} />
        </>
      )}
      {login.step === 'clinic' && (
        <>
          <p role="status">Several clinics know you. Choose this one.</p>
          <ClinicChoice
            clinics={login.clinics}
            isBusy={login.isBusy}
            onChoose={(clinic) => void login.choose(clinic)}
          />
        </>
      )}
      <p className="step-up-ways">
        {login.step === 'email' ? (
          <button type="button" className="text-button" onClick={goToCrm}>
            Log in with CRM
          </button>
        ) : (
          <button type="button" className="text-button" onClick={login.restart}>
            New code
          </button>
        )}
        {hasColleague && ways.includes('admin') && (
          <button type="button" className="text-button" onClick={() => onEnd('colleague')}>
            Ask somebody else to do it
          </button>
        )}
      </p>
    </Dialog>
  );
}
