import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { dayNow, dayThere, formatDay, formatTime, write } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';

type Mails = Pick<
  OpenInvoiceItem,
  'status' | 'last_email' | 'never_emailed' | 'opened_at' | 'bad_address' | 'next_reminder_at'
>;

/** "2:19 PM" for today, "Nov 10" in this year, else with its year. */
function shortWhen(iso: string): string {
  const [day, today] = [dayThere(iso), dayNow()];
  if (day === today) return formatTime(new Date(iso));
  return day.slice(0, 4) === today.slice(0, 4)
    ? write(new Date(iso), { month: 'short', day: 'numeric' })
    : formatDay(iso);
}

/** Shown for an invoice without any mail. */
export const NEVER = 'never';

const verbs = { 'pay-link': 'Sent', reminder: 'Reminded', receipt: 'Receipt', 'return-notice': 'Return notice' };

/** The line about the mail itself; the mail service's last report takes precedence over our own sending. */
function mailLine(mail: NonNullable<Mails['last_email']>): { isBad: boolean; line: string } {
  const told = shortWhen(mail.told_at ?? mail.at);
  switch (mail.delivery) {
    case 'bounced':
      return { isBad: true, line: `Came back ${told}` };
    case 'failed':
    case 'suppressed':
      return { isBad: true, line: `Not delivered ${told}` };
    case 'complained':
      return { isBad: true, line: `Reported as spam ${told}` };
    default:
      return { isBad: false, line: `${verbs[mail.kind]} ${shortWhen(mail.at)}` };
  }
}

const badWords = { bounced: 'address unknown', suppressed: 'address blocked', complained: 'no more mail to it' };

/**
 * The mail history of an invoice as lines. "Opened" refers to the pay page, through its link: whether a mail was opened
 * is never known.
 */
export function saysLastEmail(of: Mails): { isBad: boolean; lines: string[] } {
  const { last_email: mail, opened_at, bad_address, next_reminder_at } = of;
  const isOpen = of.status === 'open';
  const { isBad, line } = mail ? mailLine(mail) : { isBad: false, line: isOpen && of.never_emailed ? NEVER : '' };
  const lines = [line];
  if (isOpen && bad_address) lines.push(badWords[bad_address]);
  else if (isOpen && isBad) lines.push('the next may arrive');
  else if (isOpen && mail?.delivery === 'delayed') lines.push('delayed');
  if (isOpen && opened_at) lines.push(`pay page opened ${shortWhen(opened_at)}`);
  else if (isOpen && mail && !isBad && !bad_address) lines.push('pay page not opened');
  if (next_reminder_at) lines.push(`next ${shortWhen(next_reminder_at)}`);
  return { isBad: isBad || (isOpen && bad_address !== null), lines: lines.filter(Boolean) };
}

/** The mail history of an invoice; `now`: its state in the current mailing, shown instead. */
export function LastEmail({ of, now }: { of: OpenInvoiceItem; now: string | undefined }) {
  if (now !== undefined) return <span>{now}</span>;
  const { isBad, lines } = saysLastEmail(of);
  return (
    <>
      {isBad && <Icon name="warn" size="sm" />}
      <span className={isBad ? 'open-late' : undefined}>
        {/* In a narrow table, this is below the status, without a column head. */}
        {lines[0] === NEVER && <span className="open-last-lead">Last email: </span>}
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
