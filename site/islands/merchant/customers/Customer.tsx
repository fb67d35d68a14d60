import type { CustomerReply, Owed } from '#shared/contracts/lists/customers';
import type { InvoiceItem } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath } from '#site/islands/ui/routing/router.tsx';
import { customerName, takePath } from '../lists/customers.ts';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { MailDialog } from '../mail/MailDialog.tsx';
import { useMail, words } from '../mail/mail.ts';
import { describeLastMail } from '../mail/mail-words.ts';
import { moneyOf } from '../parts/amount.ts';
import { ForRight } from '../parts/ForRight.tsx';
import { NO_NEW_PAYMENTS, useLinkBlock, useTakeBlock } from '../parts/online-off.ts';
import { LoadFailure, useLoad } from '../parts/use-load.tsx';
import { askCustomer } from './ask-customer.ts';
import { Happened, HappenedSkeleton } from './Happened.tsx';
import { Side, SideSkeleton } from './Side.tsx';
import '#site/styles/areas/merchant/lists/customer.css';

/** The customer whose id is the last part of the address. */
export function Customer() {
  const id = usePath().split('/').at(-1) ?? '';
  const load = useLoad(id, 'the customer', () => askCustomer(id));
  const found = load.value;
  return (
    <div className="customer" aria-busy={load.isReading || undefined}>
      <div className="customer-head">
        <AppLink href="/customers" className="customer-back">
          <Icon name="previous" size="sm" />
          Customers
        </AppLink>
        <h1 tabIndex={-1}>{found ? customerName(found.customer) : 'Customer'}</h1>
        <p className="app-quiet" role="status">
          {found ? found.customer.properties.company : load.failure ? '' : 'Loading...'}
        </p>
      </div>
      <LoadFailure lead="The customer could not be loaded." load={load} />
      {found ? (
        <Loaded key={id} found={found} onMailed={load.reload} />
      ) : (
        !load.failure && (
          <div className="customer-body">
            <SideSkeleton />
            <HappenedSkeleton />
          </div>
        )
      )}
      <Toasts />
    </div>
  );
}

function Loaded({ found, onMailed }: { found: CustomerReply; onMailed(): void }) {
  const mail = useMail(onMailed);
  return (
    <>
      {mail.dialog && <MailDialog {...mail.dialog} />}
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
      <div className="customer-body">
        <Side found={found}>
          <ForRight right="collect" act="take payments and send pay links">
            <Next found={found} mail={mail} />
          </ForRight>
        </Side>
        <Happened found={found} />
      </div>
    </>
  );
}

/** The next step: a payment at the desk, or the link of an open invoice. */
function Next({ found, mail }: { found: CustomerReply; mail: ReturnType<typeof useMail> }) {
  const [noLink, noTake] = [useLinkBlock(), useTakeBlock()];
  const owed = found.owed.find(({ currency }: Owed) => currency === ONLINE_CURRENCY);
  if (!owed) return null;
  // Open invoices come first, so the newest of them are in this list.
  const payable = found.invoices.filter(isPayable);
  const only = owed.invoices === 1 ? payable[0] : undefined;
  const number = only ? numberOf(only) : '';
  const { email } = found.customer.properties;
  // The button shows mails that a person sent. Reminders are sent by the schedule.
  const lastMailOf = (id: string) =>
    found.mails.flatMap(({ invoice_id, state, kind, at, delivery }) =>
      invoice_id === id && state === 'sent' && kind !== 'reminder' ? [{ kind, at, delivery }] : [],
    )[0] ?? null;
  const last = only ? lastMailOf(only.id) : null;
  const ask = (invoice: InvoiceItem) =>
    mail.ask({
      of: { id: invoice.id, number: numberOf(invoice) },
      kind: 'pay-link',
      email,
      delivery: lastMailOf(invoice.id)?.delivery ?? null,
    });
  return (
    <div className="customer-next">
      {noTake ? (
        <p>
          {noTake} {NO_NEW_PAYMENTS}
        </p>
      ) : (
        <AppLink className="button button-primary" href={takePath(found.customer.id, only?.id)}>
          Take Payment
        </AppLink>
      )}
      {only && (
        <MailButton
          kind="pay-link"
          number={number}
          email={email}
          note={last && describeLastMail(last, 'pay-link')}
          busy={mail.sending !== null}
          onSend={() => ask(only)}
        />
      )}
      {!only && payable.length > 0 && email && !noLink && (
        <Disclosure label={words['pay-link'].button} align="end" isMenu>
          {(close) =>
            payable.map((invoice) => (
              <button
                key={invoice.id}
                type="button"
                onClick={() => {
                  close();
                  ask(invoice);
                }}
              >
                {numberOf(invoice)}, {moneyOf(invoice.properties.hs_balance_due, invoice.properties.hs_currency)}
              </button>
            ))
          }
        </Disclosure>
      )}
    </div>
  );
}

const numberOf = ({ id, properties }: InvoiceItem): string => properties.hs_number || `Invoice ${id}`;

const isPayable = ({ properties, is_undecided }: InvoiceItem): boolean =>
  !is_undecided &&
  properties.hs_invoice_status === 'open' &&
  properties.hs_currency === ONLINE_CURRENCY &&
  (parseCents(properties.hs_balance_due) ?? 0) > 0;
