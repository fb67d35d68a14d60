import { useState } from 'react';
import {
  type LeftOutWhy,
  type Mailing,
  type MailingBody,
  type MailingInvoice,
  MailingReply,
} from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { UndoBar } from '#site/islands/ui/feedback/UndoBar.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { api, sendJson } from '../api/api.ts';
import { words } from '../mail/mail.ts';

const read = readWith(MailingReply);

export const fetchMailing = () => api.call('/api/mailings', read);
/** Idempotent: a repeated id returns the same mailing. */
export const askForMailing = (id: string, invoices: string[]) =>
  api.call('/api/mailings', read, sendJson<MailingBody>('POST', { id, invoices }));
export const stopMailing = (id: string) => api.call(`/api/mailings/${id}`, read, { method: 'DELETE' });

const WHY: Record<LeftOutWhy, string> = {
  paid: 'it is paid',
  submitted: 'a bank payment is on its way',
  'not-payable-online': 'it cannot be paid online',
  'nothing-to-pay': 'it has no amount to pay',
  'amount-unreadable': 'its amount in HubSpot cannot be read',
  'amount-changed': 'its amount has changed in HubSpot',
  'being-revoked': 'its link is just being replaced',
  paying: 'it is just being paid',
  released: 'an earlier payment may still arrive',
  'not-now': 'no payment can be taken online at present',
  'no-address': 'no email address',
  'bad-address': 'its email address is not valid',
  bounced: 'its address came back',
  suppressed: 'its address came back',
  complained: 'its owner reported spam',
  'just-mailed': 'emailed within the hour',
  'invoice-full': 'emailed too often today',
  'day-full': 'no more emails can be sent today',
  gone: 'it is not in HubSpot',
  refused: 'the mail service refused it',
  stopped: 'stopped',
  'too-late': 'it waited too long',
};

export const whyOf = ({ why }: MailingInvoice): string => (why ? WHY[why] : '');

/** The words in an invoice's row during and after its mailing. */
export function rowWords(invoice: MailingInvoice): string {
  switch (invoice.state) {
    case 'waiting':
      return 'waiting';
    case 'sending':
      return 'Sending';
    case 'sent':
      return `Sent ${formatWhen(invoice.at)}`;
    case 'left-out':
      return `Not sent: ${whyOf(invoice)}`;
  }
}

export const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);

type Progress = { all: number; sent: number; leftOut: MailingInvoice[]; done: number };

export function progressOf({ invoices }: Mailing): Progress {
  const leftOut = invoices.filter(({ state }) => state === 'left-out');
  const sent = invoices.filter(({ state }) => state === 'sent').length;
  return { all: invoices.length, sent, leftOut, done: sent + leftOut.length };
}

type Props = {
  mailing: Mailing;
  /** Returns the reason if it could not be stopped, else null. */
  onStop(): Promise<string | null>;
  /** Called when the mailing has started and can no longer be undone. */
  onBegun(): void;
};

/** The progress of a mailing. */
export function MailingBar({ mailing, onStop, onBegun }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { all, sent, leftOut, done } = progressOf(mailing);
  const stop = async () => {
    setBusy(true);
    setFailure(await onStop());
    setBusy(false);
  };
  return (
    <section className="pick-bar mailing-bar" aria-label="Emailing links">
      <b>Emailing {links(all)}</b>
      <progress max={all} value={sent} aria-label={`Emailing ${links(all)}`} />
      <span>
        {sent} of {all} sent{leftOut.length > 0 && `, ${leftOut.length} not sent`}
      </span>
      {mailing.starts_in_ms > 0 ? (
        <UndoBar lastsMs={mailing.starts_in_ms} onUndo={onStop} onOver={onBegun}>
          {`${links(all)} will be emailed.`}
        </UndoBar>
      ) : (
        <Button kind="ghost" busy={isBusy} onClick={() => void stop()}>
          Stop after this one
        </Button>
      )}
      {/* Announced at the start and half-way; the banner announces the end. */}
      <span role="status" className="sr-only">
        {done * 2 >= all ? `Half of ${links(all)} are done.` : `Emailing ${links(all)}.`}
      </span>
      {failure && <span role="alert">{failure}</span>}
    </section>
  );
}

/** The result of a mailing. For each omitted invoice, it gives the reason and a link. */
export function MailingOutcome({ mailing, onClose }: { mailing: Mailing; onClose(): void }) {
  const { all, sent, leftOut } = progressOf(mailing);
  if (mailing.is_stopped && sent === 0) return <Banner tone="note" lead="No link was emailed." onDismiss={onClose} />;
  const told = leftOut.filter(({ why }) => why !== 'stopped');
  const stopped = leftOut.length - told.length;
  const { sent: lead, failed } = words['pay-link'];
  return (
    <Banner
      tone={sent > 0 ? (leftOut.length > 0 ? 'note' : 'ok') : 'bad'}
      lead={sent > 0 ? lead : failed}
      onDismiss={onClose}
      actions={
        told.length > 0 && (
          <ul className="mailing-left">
            {told.map((invoice) => (
              <li key={invoice.id}>
                <AppLink href={`/invoice/${invoice.id}`}>{invoice.number || `Invoice ${invoice.id}`}</AppLink>,{' '}
                {whyOf(invoice)}
              </li>
            ))}
          </ul>
        )
      }
    >
      {sent} of {all}.{stopped > 0 && ` ${stopped} not sent: you stopped.`}
      {told.length > 0 && ` ${told.length} could not be sent. Press the number to see what to do:`}
    </Banner>
  );
}
