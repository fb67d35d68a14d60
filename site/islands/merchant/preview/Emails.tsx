import { useId } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { mailWords, sayMail } from '../mail/mail-words.ts';
import { shortDay } from './life/stops.ts';

/** The mails about it. That a page was opened stands in the line and never here: a mail tells nothing of it. */
export function Emails({ invoice: { life } }: { invoice: InvoicePreviewReply }) {
  const headId = useId();
  if (life.mails.length === 0) return null;
  return (
    <section className="screen-only" aria-labelledby={headId}>
      <h2 id={headId}>Emails</h2>
      <ul className="preview-facts">
        {life.mails.map((mail) => (
          <li key={`${mail.kind}${mail.at}`}>
            <Icon name={iconOf(mail)} size="sm" />
            <div>
              {mailWords[mail.kind]}, {sayMail(mail)}
            </div>
            <time dateTime={mail.at}>{shortDay(mail.at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function iconOf({ state, delivery }: InvoicePreviewReply['life']['mails'][number]) {
  if (state === 'due' || delivery === 'delayed') return 'clock';
  const isLost = state === 'failed' || !(delivery === null || delivery === 'accepted' || delivery === 'delivered');
  return isLost ? 'x' : 'check';
}
