import { useState } from 'react';
import type { Mailing } from '#shared/contracts/mailings';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { UndoBar } from '#site/islands/ui/feedback/UndoBar.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { words } from '../mail/mail-kinds.ts';
import { links, progressOf, whyOf } from './mailing.ts';

type Props = {
  mailing: Mailing;
  /** Answers why it could not be stopped. */
  onStop(): Promise<string | null>;
  /** It can be taken back no longer. */
  onBegun(): void;
};

/** How a mailing goes. */
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
      {/* Told at the start, half-way and by the banner at the end. */}
      <span role="status" className="sr-only">
        {done * 2 >= all ? `Half of ${links(all)} are done.` : `Emailing ${links(all)}.`}
      </span>
      {failure && <span role="alert">{failure}</span>}
    </section>
  );
}

/** What became of a mailing; each invoice that was left out says at its address what to do. */
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
