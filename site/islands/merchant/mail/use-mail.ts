import { useState } from 'react';
import type { SendMailReply } from '#shared/contracts/lists';
import { type MailKind, sendMail } from './mail-kinds.ts';

/** The invoice of a mail. */
export type Mailable = { id: string; number: string };

export type MailOutcome = { of: Mailable; kind: MailKind } & (
  | { ok: true; reply: SendMailReply }
  | { ok: false; reason: string }
);

/** Sends one mail at a time and keeps the last outcome until it is dismissed. */
export function useMail(onSent: (of: Mailable, kind: MailKind, reply: SendMailReply) => void) {
  const [sending, setSending] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<MailOutcome | null>(null);
  const send = async (of: Mailable, kind: MailKind) => {
    if (sending !== null) return;
    setSending(of.id);
    setOutcome(null);
    const answer = await sendMail(kind, of.id);
    setSending(null);
    if (answer.ok) onSent(of, kind, answer.value);
    setOutcome(
      answer.ok ? { of, kind, ok: true, reply: answer.value } : { of, kind, ok: false, reason: answer.error.message },
    );
  };
  return { sending, outcome, send, close: () => setOutcome(null) };
}
