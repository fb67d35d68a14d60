import { useRef, useState } from 'react';
import { isAddress } from '#shared/text/email-address';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { may } from '../parts/app-view.ts';
import { mailDoubt } from './address-trouble.ts';
import type { MailRequest } from './mail.ts';

type Props = {
  request: MailRequest;
  /** `to` is an entered address. Without it, the email goes to the address in HubSpot. */
  onSend(to?: string): void;
  onCancel(): void;
};

const NAMES = { 'pay-link': 'payment link', receipt: 'receipt' };

/** Shows the recipient before an email is sent. Managers may enter another address. */
export function MailDialog({ request, onSend, onCancel }: Props) {
  const { invoice, kind, email, delivery, isElsewhere = false } = request;
  const [isOther, setOther] = useState(isElsewhere);
  const [isInvalid, setInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const doubt = isOther ? null : mailDoubt(email, delivery);
  const send = () => {
    if (!isOther) return onSend();
    const to = input.current?.value.trim() ?? '';
    if (isAddress(to)) return onSend(to);
    setInvalid(true);
    input.current?.focus();
  };
  return (
    <Dialog
      title={`Email the ${NAMES[kind]} of ${invoice.number}?`}
      verb={doubt ? 'Send anyway' : 'Send'}
      focus={isElsewhere ? 'field' : 'verb'}
      busy={false}
      failure={null}
      onConfirm={send}
      onCancel={onCancel}
    >
      {!isOther && (
        <p>
          To <b className="mail-to">{email}</b>, the address in HubSpot.
        </p>
      )}
      {doubt && <p className="mail-doubt">{doubt}</p>}
      {isOther ? (
        <Field
          id="mail-to"
          ref={input}
          label="Email address"
          hint="For this email only. The address in HubSpot does not change, and reminders go there."
          type="email"
          autoComplete="off"
          autoFocus
          error={isInvalid ? 'Please enter a valid email address.' : undefined}
          onKeyDown={(event) => event.key === 'Enter' && send()}
        />
      ) : (
        may('configure') && (
          <button type="button" className="text-button" onClick={() => setOther(true)}>
            Use another address
          </button>
        )
      )}
    </Dialog>
  );
}
