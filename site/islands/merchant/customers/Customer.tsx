import type { CustomerReply, Owed } from '#shared/contracts/lists/customers';
import { ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath } from '#site/islands/ui/routing/router.tsx';
import { customerName, takePath } from '../lists/customers.ts';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { useMail } from '../mail/mail.ts';
import { describeLastMail } from '../mail/mail-words.ts';
import { ForRight } from '../parts/ForRight.tsx';
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

/** The next step: a payment at the desk, or the link if there is exactly one open invoice. */
function Next({ found, mail }: { found: CustomerReply; mail: ReturnType<typeof useMail> }) {
  const owed = found.owed.find(({ currency }: Owed) => currency === ONLINE_CURRENCY);
  if (!owed) return null;
  // Open invoices come first, so the only one is in this list.
  const only = owed.invoices === 1 ? found.invoices.find(isPayable) : undefined;
  const number = only?.properties.hs_number || `Invoice ${only?.id}`;
  // The button shows mails that a person sent. Reminders are sent by the schedule.
  const [last = null] = found.mails.flatMap(({ invoice_id, state, kind, at, delivery }) =>
    invoice_id === only?.id && state === 'sent' && kind !== 'reminder' ? [{ kind, at, delivery }] : [],
  );
  return (
    <div className="customer-next">
      <AppLink className="button button-primary" href={takePath(found.customer.id, only?.id)}>
        Take payment
      </AppLink>
      {only && (
        <MailButton
          kind="pay-link"
          number={number}
          email={found.customer.properties.email}
          note={last && describeLastMail(last, 'pay-link')}
          busy={mail.sending !== null}
          onSend={() => void mail.send({ id: only.id, number }, 'pay-link')}
        />
      )}
    </div>
  );
}

const isPayable = ({ properties }: CustomerReply['invoices'][number]): boolean =>
  properties.hs_invoice_status === 'open' &&
  properties.hs_currency === ONLINE_CURRENCY &&
  (parseCents(properties.hs_balance_due) ?? 0) > 0;
