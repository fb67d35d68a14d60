import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { customerMailWords } from '#shared/contracts/lists/mail-values';
import { formatDay, formatInZone, formatTime, localDayOf, todayLocal } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';

type EmailFacts = Pick<
  OpenInvoiceItem,
  'status' | 'last_email' | 'never_emailed' | 'opened_at' | 'bad_address' | 'next_reminder_at'
>;

/** Returns for example "2:19 PM" for a time today, "Nov 10" for a day this year, and "Nov 10, 2025" for any other. */
function shortTime(iso: string): string {
  const [day, today] = [localDayOf(iso), todayLocal()];
  if (day === today) return formatTime(new Date(iso));
  return day.slice(0, 4) === today.slice(0, 4)
    ? formatInZone(new Date(iso), { month: 'short', day: 'numeric' })
    : formatDay(iso);
}

/** The text for an invoice that was never emailed. */
export const NEVER_EMAILED = 'never';

/** Describes the email and when it was sent, or the delivery problem that the email service reported. */
function describeEmail(mail: NonNullable<EmailFacts['last_email']>): { isBad: boolean; line: string } {
  const reportTime = shortTime(mail.told_at ?? mail.at);
  switch (mail.delivery) {
    case 'bounced':
      return { isBad: true, line: `Came back ${reportTime}` };
    case 'failed':
    case 'suppressed':
      return { isBad: true, line: `Not delivered ${reportTime}` };
    case 'complained':
      return { isBad: true, line: `Reported as spam ${reportTime}` };
    default:
      return { isBad: false, line: `${customerMailWords[mail.kind].last} ${shortTime(mail.at)}` };
  }
}

const addressProblems = { bounced: 'address unknown', suppressed: 'address blocked', complained: 'no more mail to it' };

/**
 * Describes the email history of an invoice in several lines. "Opened" refers to the pay page, since we never know
 * whether an email was opened.
 */
export function describeLastEmail(facts: EmailFacts): { isBad: boolean; lines: string[] } {
  const { last_email: mail, opened_at, bad_address, next_reminder_at } = facts;
  const isOpen = facts.status === 'open';
  const { isBad, line } = mail
    ? describeEmail(mail)
    : { isBad: false, line: isOpen && facts.never_emailed ? NEVER_EMAILED : '' };
  const lines = [line];
  if (isOpen && bad_address) lines.push(addressProblems[bad_address]);
  else if (isOpen && isBad) lines.push('can be tried again');
  else if (isOpen && mail?.delivery === 'delayed') lines.push('delayed');
  if (isOpen && opened_at) lines.push(`payment page opened ${shortTime(opened_at)}`);
  else if (isOpen && mail && !isBad && !bad_address) lines.push('payment page not opened');
  if (next_reminder_at) lines.push(`next ${shortTime(next_reminder_at)}`);
  return { isBad: isBad || (isOpen && bad_address !== null), lines: lines.filter(Boolean) };
}

/** The email history of an invoice. During a mailing, `mailingState` is shown instead. */
export function LastEmail({ invoice, mailingState }: { invoice: OpenInvoiceItem; mailingState: string | undefined }) {
  if (mailingState !== undefined) return <span>{mailingState}</span>;
  const { isBad, lines } = describeLastEmail(invoice);
  return (
    <>
      {isBad && <Icon name="warn" size="sm" />}
      <span className={isBad ? 'open-late' : undefined}>
        {/* In a narrow table, this text is below the status and has no column header. */}
        {lines[0] === NEVER_EMAILED && <span className="open-last-lead">Last email: </span>}
        {lines.map((line, index) => (
          <span key={line}>
            {index > 0 && <span className="open-last-comma">, </span>}
            <span className="open-last-line">{line}</span>
          </span>
        ))}
      </span>
    </>
  );
}
