import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { type MailOutcome, words } from './mail.ts';

/** The outcome of a mail: the agreed sentence, then the reason or the recipient. It stays until dismissed. */
export function MailAlert({ outcome, onClose }: { outcome: MailOutcome | null; onClose(): void }) {
  if (!outcome) return null;
  const { sent, failed } = words[outcome.kind];
  const { number } = outcome.of;
  if (!outcome.ok) {
    return (
      <Banner tone="bad" lead={failed} onDismiss={onClose}>
        {number}: {outcome.reason}
      </Banner>
    );
  }
  const { status, to } = outcome.reply;
  return status === 'sent' ? (
    <Banner tone="ok" lead={sent} onDismiss={onClose}>
      {number} went to {to}.
    </Banner>
  ) : (
    <Banner tone="note" lead={`${number} is waiting for the mail service.`} onDismiss={onClose}>
      It goes to {to} by itself as soon as it can be sent.
    </Banner>
  );
}
