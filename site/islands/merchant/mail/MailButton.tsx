import { useId } from 'react';
import type { Delivery } from '../../../../shared/contracts/mail-values.ts';
import { Button } from '../../ui/form/Button.tsx';
import { formatWhen } from '../../ui/format-moment.ts';
import { deliveryWords, type MailKind, words } from './mail-kinds.ts';
import '../../../styles/parts/feedback/mail.css';

export type LastMail = { kind: MailKind; at: string; delivery: Delivery | null };

type Props = {
  kind: MailKind;
  number: string;
  /** Empty: the CRM has none. */
  email: string;
  last: LastMail | null;
  size?: 'sm';
  busy: boolean;
  /** The next step, which is green. */
  isNext?: boolean;
  /** Why it is not to be sent now. */
  off?: string;
  /** What is just told of a mail, in place of the last one. */
  now?: string | undefined;
  onSend(): void;
};

/** The mail that fits the invoice's status, why it cannot be sent, and when the last one was. */
export function MailButton({ kind, number, email, last, size, busy, isNext, off, now, onSend }: Props) {
  const id = useId();
  const why = off ?? (email === '' ? 'No e-mail address in the CRM' : '');
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
        {now ? <span>{now}</span> : last && <span>{noteOf(last, kind)}</span>}
      </span>
    </div>
  );
}

/** A pay link that was mailed before the payment is not a receipt, so name the kind where it differs. */
const noteOf = (last: LastMail, kind: MailKind) => {
  const what = last.kind === kind ? 'Sent' : last.kind === 'receipt' ? 'Receipt sent' : 'Link sent';
  const told = last.delivery && deliveryWords[last.delivery];
  return `${what} ${formatWhen(last.at)}${told ? `, ${told}` : ''}`;
};
