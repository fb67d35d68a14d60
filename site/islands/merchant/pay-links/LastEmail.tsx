import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { NEVER, saysLastEmail } from './last-email.ts';

/** What the mails of an invoice came to; `now`: what a mailing is doing about it. */
export function LastEmail({ of, now }: { of: OpenInvoiceItem; now: string | undefined }) {
  if (now !== undefined) return <span>{now}</span>;
  const { isBad, lines } = saysLastEmail(of);
  return (
    <>
      {isBad && <Icon name="warn" size="sm" />}
      <span className={isBad ? 'open-late' : undefined}>
        {/* Under a status no head says of what. */}
        {lines[0] === NEVER && <span className="open-last-lead">Emailed: </span>}
        {lines.map((line, at) => (
          <span key={line}>
            {at > 0 && <span className="open-last-comma">, </span>}
            <span className="open-last-line">{line}</span>
          </span>
        ))}
      </span>
    </>
  );
}
