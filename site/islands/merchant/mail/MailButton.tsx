import { type ReactNode, useId } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { useLinkBlockReason } from '../common/online-off.ts';
import { type MailKind, mailTexts } from './pay-link-or-receipt.ts';
import '#site/styles/parts/feedback/mail.css';

type Props = {
  kind: MailKind;
  number: string;
  /** The customer's address, or '' if the CRM has none. */
  email: string;
  size?: 'sm';
  busy: boolean;
  /** True if this is the next step, so that the button is green. */
  isNext?: boolean;
  /** The reason why the email cannot be sent now. */
  off?: string;
  /** A note beside the button. */
  note?: ReactNode;
  onSend(): void;
};

/** A button that sends the email for the invoice's status, or explains why it cannot be sent. */
export function MailButton({ kind, number, email, size, busy, isNext, off, note, onSend }: Props) {
  const id = useId();
  const linkBlock = useLinkBlockReason();
  const reason = (kind === 'pay-link' && linkBlock) || (off ?? (email === '' ? 'No email address in HubSpot' : ''));
  return (
    <div className="mail">
      <Button
        {...(size && { size })}
        busy={busy}
        {...(isNext && { kind: 'primary' })}
        disabled={reason !== ''}
        aria-describedby={`${id}-note`}
        aria-label={`${mailTexts[kind].button}, ${number}`}
        onClick={onSend}
      >
        {mailTexts[kind].button}
      </Button>
      <span className="mail-note" id={`${id}-note`}>
        {reason && <span>{reason}</span>}
        {note}
      </span>
    </div>
  );
}
