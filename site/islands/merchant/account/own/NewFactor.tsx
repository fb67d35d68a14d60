import { useState } from 'react';
import type { OwnFactors } from '#shared/contracts/staff/proof';
import { newPinHint, pinProblem } from '#shared/pin-rule';
import { readAppView } from '#site/islands/merchant/common/app-view.ts';
import { CodeField, PinField } from '#site/islands/merchant/login/CodeLogin.tsx';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { addPasskey, mailFactorCode, setPin } from '../api.ts';
import { breakableEmail } from '../break-address.tsx';

const MAX_LABEL_LENGTH = 60;

type Props = {
  kind: 'passkey' | 'pin';
  actionLabel: string;
  requirement: OwnFactors['change_takes'];
  onDone(): void;
};

/** A button that adds a passkey or a PIN. A user's first factor requires an emailed code. */
export function NewFactor({ kind, actionLabel: verb, requirement, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{verb}</Button>
      {isOpen && (
        <NewFactorDialog
          {...{ kind, actionLabel: verb, requirement }}
          onDone={() => {
            setOpen(false);
            toast(kind === 'pin' ? 'Your PIN is set.' : 'The passkey was added.');
            onDone();
          }}
          onCancel={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Focuses a field when it is mounted. */
const focusField = (field: HTMLInputElement | null) => field?.focus();

function NewFactorDialog({ kind, actionLabel: verb, requirement, onDone, onCancel }: Props & { onCancel(): void }) {
  const [isCodeSent, setCodeSent] = useState(false);
  const [code, setCode] = useState('');
  const [value, setValue] = useState(kind === 'pin' ? '' : 'This device');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { email } = readAppView().person;
  const isFirst = requirement === 'code';
  const mustSendCode = isFirst && !isCodeSent;

  const runCall = async (call: () => Promise<Answer<unknown>>, onSuccess: () => void) => {
    setBusy(true);
    setFailure(null);
    const answer = await call();
    setBusy(false);
    if (answer.ok) onSuccess();
    else setFailure(answer.error.message);
  };
  const confirm = () => {
    if (mustSendCode) return void runCall(mailFactorCode, () => setCodeSent(true));
    const problem = kind === 'pin' ? pinProblem(value) : null;
    if (problem) return setFailure(problem);
    void runCall(() => (kind === 'pin' ? setPin(value, code) : addPasskey(value, code)), onDone);
  };
  return (
    <Dialog
      title={kind === 'pin' ? 'Set your PIN' : 'Add a passkey'}
      confirmLabel={mustSendCode ? 'Email me a code' : verb}
      busy={isBusy}
      failure={failure}
      onConfirm={confirm}
      onCancel={onCancel}
    >
      {mustSendCode && <p>We’ll email you a code for your first one, so that no one else can set it.</p>}
      {isFirst && isCodeSent && (
        <>
          <p role="status">The code is on its way to {email ? breakableEmail(email) : 'your address'}.</p>
          <CodeField
            ref={focusField}
            value={code}
            onChange={setCode}
            hint="Eight digits, from the email. It works for ten minutes."
          />
        </>
      )}
      {!mustSendCode && kind === 'pin' && (
        <PinField label="New PIN" hint={newPinHint} value={value} onChange={setValue} onEnter={confirm} />
      )}
      {!mustSendCode && kind === 'passkey' && (
        <Field
          id="passkey-label"
          label="Name"
          hint="A name to recognize it by, such as the device."
          maxLength={MAX_LABEL_LENGTH}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
      )}
    </Dialog>
  );
}
