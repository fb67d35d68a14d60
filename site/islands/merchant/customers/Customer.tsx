import type { CustomerReply, Owed } from '#shared/contracts/lists/customers';
import type { InvoiceItem } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath } from '#site/islands/ui/routing/router.tsx';
import { moneyOf } from '../common/amount.ts';
import { NO_NEW_PAYMENTS, useLinkBlockReason, usePaymentBlockReason } from '../common/online-off.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { customerName, takePaymentPath } from '../lists/customers.ts';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { MailDialog } from '../mail/MailDialog.tsx';
import { describeLastMail } from '../mail/mail-words.ts';
import { mailTexts, useMail } from '../mail/pay-link-or-receipt.ts';
import { CustomerData } from './CustomerData.tsx';
import { CustomerHistory, CustomerHistorySkeleton } from './CustomerHistory.tsx';
import { CustomerSidebar, CustomerSidebarSkeleton } from './CustomerSidebar.tsx';
import { fetchCustomer } from './fetch-customer.ts';
import '#site/styles/areas/merchant/lists/customer.css';

/** The page of the customer whose id is the last part of the path. */
export function Customer() {
  const id = usePath().split('/').at(-1) ?? '';
  const load = useLoad(id, 'the customer', () => fetchCustomer(id));
  const reply = load.value;
  return (
    <div className="customer" aria-busy={load.isLoading || undefined}>
      <div className="customer-head">
        <AppLink href="/customers" className="customer-back">
          <Icon name="previous" size="sm" />
          Customers
        </AppLink>
        <h1 tabIndex={-1}>{reply ? customerName(reply.customer) : 'Customer'}</h1>
        <p className="app-quiet" role="status">
          {reply ? reply.customer.properties.company : load.failure ? '' : 'Loading...'}
        </p>
      </div>
      <LoadFailure lead="The customer could not be loaded." load={load} />
      {reply ? (
        <CustomerDetails key={id} reply={reply} onMailed={load.reload} />
      ) : (
        !load.failure && (
          <div className="customer-body">
            <CustomerSidebarSkeleton />
            <CustomerHistorySkeleton />
          </div>
        )
      )}
      <Toasts />
    </div>
  );
}

function CustomerDetails({ reply, onMailed }: { reply: CustomerReply; onMailed(): void }) {
  const mail = useMail(onMailed);
  return (
    <>
      {mail.dialog && <MailDialog {...mail.dialog} />}
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
      <div className="customer-body">
        <CustomerSidebar reply={reply}>
          <RequireRight right="collect" action="take payments and send payment links">
            <NextStep reply={reply} mail={mail} />
          </RequireRight>
        </CustomerSidebar>
        <CustomerHistory reply={reply}>
          <CustomerData
            id={reply.customer.id}
            name={customerName(reply.customer)}
            email={reply.customer.properties.email}
          />
        </CustomerHistory>
      </div>
    </>
  );
}

/** Offers the next step: a payment at the desk, or an email with an open invoice's payment link. */
function NextStep({ reply, mail }: { reply: CustomerReply; mail: ReturnType<typeof useMail> }) {
  const [linkBlock, takeBlock] = [useLinkBlockReason(), usePaymentBlockReason()];
  const owed = reply.owed.find(({ currency }: Owed) => currency === ONLINE_CURRENCY);
  if (!owed) return null;
  // The reply lists open invoices first, so its limited list contains the newest of them.
  const payable = reply.invoices.filter(isPayable);
  const onlyInvoice = owed.invoices === 1 ? payable[0] : undefined;
  const number = onlyInvoice ? numberOf(onlyInvoice) : '';
  const { email } = reply.customer.properties;
  // The button mentions the last email that a user sent, so scheduled reminders are excluded.
  const lastMailOf = (id: string) =>
    reply.mails.flatMap(({ invoice_id, state, kind, at, delivery }) =>
      invoice_id === id && state === 'sent' && kind !== 'reminder' ? [{ kind, at, delivery }] : [],
    )[0] ?? null;
  const lastMail = onlyInvoice ? lastMailOf(onlyInvoice.id) : null;
  const openMailDialog = (invoice: InvoiceItem) =>
    mail.openDialog({
      invoice: { id: invoice.id, number: numberOf(invoice) },
      kind: 'pay-link',
      email,
      delivery: lastMailOf(invoice.id)?.delivery ?? null,
    });
  return (
    <div className="customer-next">
      {takeBlock ? (
        <p>
          {takeBlock} {NO_NEW_PAYMENTS}
        </p>
      ) : (
        <AppLink className="button button-primary" href={takePaymentPath(reply.customer.id, onlyInvoice?.id)}>
          Take Payment
        </AppLink>
      )}
      {onlyInvoice && (
        <MailButton
          kind="pay-link"
          number={number}
          email={email}
          note={lastMail && describeLastMail(lastMail, 'pay-link')}
          busy={mail.sending !== null}
          onSend={() => openMailDialog(onlyInvoice)}
        />
      )}
      {!onlyInvoice && payable.length > 0 && email && !linkBlock && (
        <Disclosure label={mailTexts['pay-link'].button} align="end" isMenu>
          {(close) =>
            payable.map((invoice) => (
              <button
                key={invoice.id}
                type="button"
                onClick={() => {
                  close();
                  openMailDialog(invoice);
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
