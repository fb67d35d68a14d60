import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { type MailOutcome, mailTexts } from './pay-link-or-receipt.ts';

/** Shows whether an email was sent, with the recipient or the reason for a failure. It stays until it is dismissed. */
export function MailAlert({ outcome, onClose }: { outcome: MailOutcome | null; onClose(): void }) {
  if (!outcome) return null;
  const { sent, failed } = mailTexts[outcome.kind];
  const { number } = outcome.invoice;
  if (!outcome.ok) {
    return (
      <LateBanner tone="bad" lead={failed} onDismiss={onClose}>
        {number}: {outcome.reason}
      </LateBanner>
    );
  }
  const { status, to } = outcome.reply;
  return status === 'sent' ? (
    <LateBanner tone="ok" lead={sent} onDismiss={onClose}>
      {number} went to {to}.
    </LateBanner>
  ) : (
    <LateBanner tone="note" lead={`${number} is waiting for the mail service.`} onDismiss={onClose}>
      It goes to {to} automatically as soon as it can be sent.
    </LateBanner>
  );
}
