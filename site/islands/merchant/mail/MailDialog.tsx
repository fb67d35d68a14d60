import { useRef, useState } from 'react';
import { isAddress } from '#shared/text/email-address';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { hasRight } from '../common/app-view.ts';
import { deliveryWarning } from './address-trouble.ts';
import type { MailRequest } from './pay-link-or-receipt.ts';

type Props = {
  request: MailRequest;
  /** `to` is an entered address. Without it, the email goes to the address in HubSpot. */
  onSend(to?: string): void;
  onCancel(): void;
};

const MAIL_NAMES = { 'pay-link': 'payment link', receipt: 'receipt' };

/** Shows the recipient before an email is sent. Managers may enter another address. */
export function MailDialog({ request, onSend, onCancel }: Props) {
  const { invoice, kind, email, delivery, isElsewhere = false } = request;
  const [isOtherAddress, setOtherAddress] = useState(isElsewhere);
  const [isInvalid, setInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const warning = isOtherAddress ? null : deliveryWarning(email, delivery);
  const send = () => {
    if (!isOtherAddress) return onSend();
    const to = input.current?.value.trim() ?? '';
    if (isAddress(to)) return onSend(to);
    setInvalid(true);
    input.current?.focus();
  };
  return (
    <Dialog
      title={`Email the ${MAIL_NAMES[kind]} of ${invoice.number}?`}
      confirmLabel={warning ? 'Send anyway' : 'Send'}
      focus={isElsewhere ? 'field' : 'verb'}
      busy={false}
      failure={null}
      onConfirm={send}
      onCancel={onCancel}
    >
      {!isOtherAddress && (
        <p>
          To <b className="mail-to">{email}</b>, the address in HubSpot.
        </p>
      )}
      {warning && <p className="mail-doubt">{warning}</p>}
      {isOtherAddress ? (
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
        hasRight('configure') && (
          <button type="button" className="text-button" onClick={() => setOtherAddress(true)}>
            Use another address
          </button>
        )
      )}
    </Dialog>
  );
}
