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
import { mailTexts } from '../mail/pay-link-or-receipt.ts';
import { countLinks, countReasons, groupByReason, skipReasonOf } from './skip-reasons.ts';

const readMailing = readWith(MailingReply);

export const fetchMailing = () => api.call('/api/mailings', readMailing);
/** Starts a mailing. The call is idempotent, so a repeated id returns the same mailing. */
export const startMailing = (id: string, invoices: string[]) =>
  api.call('/api/mailings', readMailing, sendJson<MailingBody>('POST', { id, invoices }));
export const stopMailing = (id: string) => api.call(`/api/mailings/${id}`, readMailing, { method: 'DELETE' });

/** Describes the state of an invoice in its row, during and after its mailing. */
export function describeRow(invoice: MailingInvoice): string {
  switch (invoice.state) {
    case 'waiting':
      return 'waiting';
    case 'sending':
      return 'Sending';
    case 'sent':
      return `Sent ${formatWhen(invoice.at)}`;
    case 'left-out':
      return `Not sent: ${skipReasonOf(invoice)}`;
  }
}

type Progress = { total: number; sent: number; leftOut: MailingInvoice[]; processed: number };

export function progressOf({ invoices }: Mailing): Progress {
  const leftOut = invoices.filter(({ state }) => state === 'left-out');
  const sent = invoices.filter(({ state }) => state === 'sent').length;
  return { total: invoices.length, sent, leftOut, processed: sent + leftOut.length };
}

type Props = {
  mailing: Mailing;
  /** Stops the mailing. Returns why that failed, or null. */
  onStop(): Promise<string | null>;
  /** Called when the mailing has started and can no longer be undone. */
  onStart(): void;
};

/** Shows the progress of a mailing, which users can undo or stop. */
export function MailingBar({ mailing, onStop, onStart }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { total, sent, leftOut, processed } = progressOf(mailing);
  const stop = async () => {
    setBusy(true);
    setFailure(await onStop());
    setBusy(false);
  };
  return (
    <section className="pick-bar mailing-bar" aria-label="Emailing links">
      <b>Emailing {countLinks(total)}</b>
      <progress max={total} value={sent} aria-label={`Emailing ${countLinks(total)}`} />
      <span>
        {sent} of {total} sent{leftOut.length > 0 && `, ${leftOut.length} not sent`}
      </span>
      {mailing.starts_in_ms > 0 ? (
        <UndoBar durationMs={mailing.starts_in_ms} onUndo={onStop} onExpire={onStart}>
          {`${countLinks(total)} will be emailed.`}
        </UndoBar>
      ) : (
        <Button kind="ghost" busy={isBusy} onClick={() => void stop()}>
          Stop after this one
        </Button>
      )}
      {/* Screen readers announce the start and the halfway point. The banner announces the end. */}
      <span role="status" className="sr-only">
        {processed * 2 >= total ? `Half of ${countLinks(total)} are done.` : `Emailing ${countLinks(total)}.`}
      </span>
      {failure && <span role="alert">{failure}</span>}
    </section>
  );
}

/** The result of a mailing: the number of links sent, and the other invoices grouped by reason. */
export function MailingOutcome({ mailing, onClose }: { mailing: Mailing; onClose(): void }) {
  const { sent, leftOut } = progressOf(mailing);
  if (mailing.is_stopped && sent === 0)
    return <LateBanner tone="note" lead="No link was emailed." onDismiss={onClose} />;
  // Users need no list of the invoices that they stopped.
  const groups = groupByReason(
    leftOut.filter(({ why }) => why !== 'stopped'),
    skipReasonOf,
  );
  const { sent: lead, failed } = mailTexts['pay-link'];
  return (
    <LateBanner
      tone={sent > 0 ? (leftOut.length > 0 ? 'note' : 'ok') : 'bad'}
      lead={sent > 0 ? lead : failed}
      onDismiss={onClose}
      actions={
        groups.length > 0 && (
          <ul className="mailing-left">
            {groups.map(([reason, invoices]) => (
              <li key={reason}>
                {capitalize(reason)}:{' '}
                {invoices.map(({ id, number }, index) => (
                  <Fragment key={id}>
                    {index > 0 && ', '}
                    <AppLink href={`/invoice/${id}`}>{number || `Invoice ${id}`}</AppLink>
                  </Fragment>
                ))}
              </li>
            ))}
          </ul>
        )
      }
    >
      {sent} sent{leftOut.length > 0 && `, ${leftOut.length} not: ${countReasons(leftOut.map(skipReasonOf))}`}.
    </LateBanner>
  );
}

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
