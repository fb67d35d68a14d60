import { type ReactNode, useId } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { useLinkBlock } from '../parts/online-off.ts';
import { type MailKind, words } from './mail.ts';
import '#site/styles/parts/feedback/mail.css';

type Props = {
  kind: MailKind;
  number: string;
  /** Empty: the CRM has none. */
  email: string;
  size?: 'sm';
  busy: boolean;
  /** True for the next step, which is green. */
  isNext?: boolean;
  /** The reason why it cannot be sent now. */
  off?: string;
  /** A note beside the button. */
  note?: ReactNode;
  onSend(): void;
};

/** The mail that fits the invoice's status, and why it cannot be sent. */
export function MailButton({ kind, number, email, size, busy, isNext, off, note, onSend }: Props) {
  const id = useId();
  const noLink = useLinkBlock();
  const why = (kind === 'pay-link' && noLink) || (off ?? (email === '' ? 'No email address in HubSpot' : ''));
  return (
    <div className="mail">
      <Button
        {...(size && { size })}
        busy={busy}
        {...(isNext && { kind: 'primary' })}
        disabled={why !== ''}
        aria-describedby={`${id}-note`}
        aria-label={`${words[kind].button}, ${number}`}
        onClick={onSend}
      >
        {words[kind].button}
      </Button>
      <span className="mail-note" id={`${id}-note`}>
        {why && <span>{why}</span>}
        {note}
      </span>
    </div>
  );
}
