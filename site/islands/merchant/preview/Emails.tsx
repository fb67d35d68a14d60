import { useId, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { customerMailWords } from '#shared/contracts/lists/mail-values';
import type { InvoiceReminders, NoReminder } from '#shared/contracts/payments/reminders';
import { deliveryWords } from '#shared/text/delivery-words';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { describeMail } from '../mail/mail-words.ts';
import { excludeFromReminders, getReminders } from './api.ts';
import { shortDay, stopTime } from './Life.tsx';
import { nameOf } from './texts.ts';

/** The emails about the invoice. They do not track page views, which appear only in the timeline. */
export function Emails({ invoice: { life } }: { invoice: InvoicePreviewReply }) {
  const headingId = useId();
  if (life.mails.length === 0) return null;
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>Emails</h2>
      <ul className="preview-facts">
        {life.mails.map((mail) => (
          <li key={`${mail.kind}${mail.at}`}>
            <Icon name={iconOf(mail)} size="sm" />
            <div>
              {customerMailWords[mail.kind].name}, {describeMail(mail)}
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
  const isUndelivered =
    state === 'failed' || !(delivery === null || delivery === 'accepted' || delivery === 'delivered');
  return isUndelivered ? 'x' : 'check';
}

/** The last and next reminders of an open invoice, or why none is due, and a button that excludes the invoice. */
export function Reminders({ invoice }: { invoice: InvoicePreviewReply }) {
  const headingId = useId();
  const [updated, setUpdated] = useState<InvoiceReminders | null>(null);
  // An email that was just sent may delay the next reminder.
  const key = `${invoice.id} ${invoice.mailed_at} ${invoice.bad_address}`;
  const load = useLoad(key, 'Failed to fetch the reminders of an invoice', () => getReminders(invoice.id));
  const view = updated ?? load.value;
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>Reminders</h2>
      <LoadFailure lead="The reminders could not be loaded." load={load} />
      {view ? <ReminderFacts view={view} /> : load.isLoading && <p className="app-quiet">Loading...</p>}
      {view && (view.is_on || view.is_excluded) && (
        <RequireRight right="configure" action="leave an invoice out of the reminders">
          <ExcludeButton invoice={invoice} isExcluded={view.is_excluded} onChanged={setUpdated} />
        </RequireRight>
      )}
    </section>
  );
}

function ReminderFacts({ view: { last, next_at, why_none, stopped_at } }: { view: InvoiceReminders }) {
  return (
    <>
      {(last || next_at) && (
        <dl className="preview-sums">
          {last && (
            <div>
              <dt>Last reminder</dt>
              <dd>{describeLastReminder(last)}</dd>
            </div>
          )}
          {next_at && (
            <div>
              <dt>Next reminder</dt>
              <dd>
                <time dateTime={next_at}>{stopTime(next_at)}</time>
              </dd>
            </div>
          )}
        </dl>
      )}
      {why_none && (
        <p className="app-quiet">
          {stopped_at && why_none === 'stopped'
            ? `The payer stopped reminders on ${shortDay(stopped_at)}.`
            : noReminderTexts[why_none]}{' '}
          {why_none === 'off' && hasRight('configure') && (
            <AppLink href="/account/payments#reminders">Choose when to remind</AppLink>
          )}
        </p>
      )}
    </>
  );
}

/** Returns for example "Nov 10, delivered". */
function describeLastReminder({ at, times, delivery }: NonNullable<InvoiceReminders['last']>): string {
  const status = delivery ? deliveryWords[delivery] : '';
  return [`${times > 1 ? `${times} times, last ` : ''}${shortDay(at)}`, status].filter(Boolean).join(', ');
}

const noReminderTexts: Record<NoReminder, string> = {
  'not-payable': 'None: it cannot be paid online.',
  closing: 'None: the account is being closed.',
  disconnected: 'None while HubSpot is not connected.',
  off: 'Reminders are off.',
  excluded: 'This invoice is left out of reminders.',
  stopped: 'The payer stopped reminders.',
  'no-mail-arrives': 'None: emails to its address are not delivered.',
  'no-address': 'None: it has no email address in HubSpot.',
  payment: 'None while a payment is in progress.',
  'no-due-date': 'None: it has no due date.',
  'none-left': 'No other reminder is planned.',
};

type ExcludeButtonProps = {
  invoice: InvoicePreviewReply;
  isExcluded: boolean;
  onChanged(view: InvoiceReminders): void;
};

function ExcludeButton({ invoice, isExcluded, onChanged }: ExcludeButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const number = nameOf(invoice);
  const toggle = async () => {
    setBusy(true);
    const answer = await excludeFromReminders(invoice.id, !isExcluded);
    setBusy(false);
    setFailure(answer.ok ? '' : answer.error.message);
    if (!answer.ok) return;
    onChanged(answer.value);
    toast(answer.value.is_excluded ? `${number} is left out of reminders.` : `${number} is reminded again.`);
  };
  return (
    <>
      <Button kind="ghost" busy={isBusy} onClick={() => void toggle()}>
        {isExcluded ? 'Remind again' : 'Leave out of reminders'}
      </Button>
      {failure && <FieldError id="exclude-failed" text={failure} />}
    </>
  );
}
