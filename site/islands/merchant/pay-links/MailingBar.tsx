import { Fragment, useState } from 'react';
import {
  type Mailing,
  type MailingBody,
  type MailingInvoice,
  MailingReply,
} from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { UndoBar } from '#site/islands/ui/feedback/UndoBar.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { api, sendJson } from '../api/api.ts';
import { words } from '../mail/mail.ts';
import { byReason, countReasons, links, whyOf } from './left-out.ts';

const read = readWith(MailingReply);

export const fetchMailing = () => api.call('/api/mailings', read);
/** Idempotent: a repeated id returns the same mailing. */
export const askForMailing = (id: string, invoices: string[]) =>
  api.call('/api/mailings', read, sendJson<MailingBody>('POST', { id, invoices }));
export const stopMailing = (id: string) => api.call(`/api/mailings/${id}`, read, { method: 'DELETE' });

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

/** The result of a mailing: how many got their link, and the others by reason, each with its invoices. */
export function MailingOutcome({ mailing, onClose }: { mailing: Mailing; onClose(): void }) {
  const { sent, leftOut } = progressOf(mailing);
  if (mailing.is_stopped && sent === 0)
    return <LateBanner tone="note" lead="No link was emailed." onDismiss={onClose} />;
  // Those that staff stopped need no other step.
  const toOpen = byReason(
    leftOut.filter(({ why }) => why !== 'stopped'),
    whyOf,
  );
  const { sent: lead, failed } = words['pay-link'];
  return (
    <LateBanner
      tone={sent > 0 ? (leftOut.length > 0 ? 'note' : 'ok') : 'bad'}
      lead={sent > 0 ? lead : failed}
      onDismiss={onClose}
      actions={
        toOpen.length > 0 && (
          <ul className="mailing-left">
            {toOpen.map(([reason, invoices]) => (
              <li key={reason}>
                {upperFirst(reason)}:{' '}
                {invoices.map(({ id, number }, at) => (
                  <Fragment key={id}>
                    {at > 0 && ', '}
                    <AppLink href={`/invoice/${id}`}>{number || `Invoice ${id}`}</AppLink>
                  </Fragment>
                ))}
              </li>
            ))}
          </ul>
        )
      }
    >
      {sent} sent{leftOut.length > 0 && `, ${leftOut.length} not: ${countReasons(leftOut.map(whyOf))}`}.
    </LateBanner>
  );
}

const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
