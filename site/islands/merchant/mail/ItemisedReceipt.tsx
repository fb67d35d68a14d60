import { useState } from 'react';
import type { ItemisedReceiptBody } from '#shared/contracts/lists/invoice-preview';
import type { SendMailReply } from '#shared/contracts/lists/lists';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { api, sendJson } from '../api/api.ts';
import { type MailedInvoice, readSendReply } from './pay-link-or-receipt.ts';

type Props = { invoice: MailedInvoice; email: string; onSent(reply: SendMailReply): void };

/** A button that emails the receipt with the items of the bill, even if the account's setting hides them. */
export function ItemisedReceipt({ invoice: { id, number }, email, onSent }: Props) {
  // The id stays the same until the email is queued, so that a retry after a lost reply does not send a second email.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const path = `/api/invoices/${encodeURIComponent(id)}/itemised-receipt`;
  return (
    <ConfirmedAction
      isFullSize
      label="Send itemized receipt"
      labelSuffix={number}
      title="Send itemized receipt?"
      confirmLabel="Send itemized receipt"
      runAction={() => api.call(path, readSendReply, sendJson<ItemisedReceiptBody>('POST', { requestId }))}
      successText={({ status, to }) =>
        status === 'sent'
          ? `The itemized receipt of ${number} went to ${to}.`
          : `The itemized receipt of ${number} goes to ${to} as soon as it can be sent.`
      }
      onDone={(reply) => {
        setRequestId(crypto.randomUUID());
        onSent(reply);
      }}
    >
      <p>
        The receipt goes to {email} with each item of the bill. Items may reveal treatments to anyone who can read the
        mailbox.
      </p>
    </ConfirmedAction>
  );
}
