import { useState } from 'react';
import type { OwnFactors } from '#shared/contracts/staff/proof';
import { newPinHint, pinProblem } from '#shared/pin-rule';
import { CodeField, PinField } from '#site/islands/merchant/login/CodeLogin.tsx';
import { readAppView } from '#site/islands/merchant/parts/app-view.ts';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { addPasskey, mailFactorCode, setPin } from '../api.ts';
import { breakAddress } from '../break-address.tsx';

const LABEL_LENGTH = 60;

type Props = {
  kind: 'passkey' | 'pin';
  verb: string;
  takes: OwnFactors['change_takes'];
  onDone(): void;
};

/** Adds a passkey or a PIN. A person's first factor requires a mailed code. */
export function NewFactor({ kind, verb, takes, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{verb}</Button>
      {isOpen && (
        <NewFactorDialog
          {...{ kind, verb, takes }}
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

/** Gives a field the focus when it appears. */
const focusField = (field: HTMLInputElement | null) => field?.focus();

function NewFactorDialog({ kind, verb, takes, onDone, onCancel }: Props & { onCancel(): void }) {
  const [hasMail, setHasMail] = useState(false);
  const [code, setCode] = useState('');
  const [value, setValue] = useState(kind === 'pin' ? '' : 'This device');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { email } = readAppView().person;
  const isFirst = takes === 'code';
  const isMailNext = isFirst && !hasMail;

  const run = async (call: () => Promise<Answer<unknown>>, after: () => void) => {
    setBusy(true);
    setFailure(null);
    const answer = await call();
    setBusy(false);
    if (answer.ok) after();
    else setFailure(answer.error.message);
  };
  const confirm = () => {
    if (isMailNext) return void run(mailFactorCode, () => setHasMail(true));
    const problem = kind === 'pin' ? pinProblem(value) : null;
    if (problem) return setFailure(problem);
    void run(() => (kind === 'pin' ? setPin(value, code) : addPasskey(value, code)), onDone);
  };
  return (
    <Dialog
      title={kind === 'pin' ? 'Set your PIN' : 'Add a passkey'}
      verb={isMailNext ? 'Email me a code' : verb}
      busy={isBusy}
      failure={failure}
      onConfirm={confirm}
      onCancel={onCancel}
    >
      {isMailNext && <p>We’ll email you a code for your first one, so that no one else can set it.</p>}
      {isFirst && hasMail && (
        <>
          <p role="status">The code is on its way to {email ? breakAddress(email) : 'your address'}.</p>
          <CodeField
            ref={focusField}
            value={code}
            onChange={setCode}
            hint="Eight digits, from the email. It works for ten minutes."
          />
        </>
      )}
      {!isMailNext && kind === 'pin' && (
        <PinField label="New PIN" hint={newPinHint} value={value} onChange={setValue} onEnter={confirm} />
      )}
      {!isMailNext && kind === 'passkey' && (
        <Field
          id="passkey-label"
          label="Name"
          hint="A name to recognize it by, such as the device."
          maxLength={LABEL_LENGTH}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
      )}
    </Dialog>
  );
}
