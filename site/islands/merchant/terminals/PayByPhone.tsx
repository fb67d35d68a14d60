import { useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { useLinkBlockReason } from '../common/online-off.ts';
import { addressBlockReason, deliveryWarning } from '../mail/address-trouble.ts';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { MailDialog } from '../mail/MailDialog.tsx';
import { type MailRequest, useMail } from '../mail/pay-link-or-receipt.ts';
import { nameOf } from '../pay-links/open-invoices.ts';
import { PayByQr } from './PayByQr.tsx';

/** Offers the pay link by email or as a QR code, for a customer on the phone or if no card reader is free. */
export function PayByPhone({ invoice, onPaid }: { invoice: OpenInvoiceItem | null; onPaid(): void }) {
  const block = useLinkBlockReason();
  return (
    <section className="card take-phone" aria-labelledby="take-phone">
      <h2 id="take-phone">Customer on the phone?</h2>
      <p className="hint">Send the payment link during the call. This screen shows when it is paid.</p>
      {block ? (
        <p>{block} No one can pay by link.</p>
      ) : !invoice ? (
        <p>Choose a customer and an invoice first.</p>
      ) : invoice.currency !== ONLINE_CURRENCY || invoice.amount_due === null ? (
        <p>This invoice cannot be paid by link.</p>
      ) : (
        <LinkOptions invoice={invoice} amount={invoice.amount_due} onPaid={onPaid} />
      )}
    </section>
  );
}

function LinkOptions({ invoice, amount, onPaid }: { invoice: OpenInvoiceItem; amount: string; onPaid(): void }) {
  const { crm_id: id, id: payId, email, currency, bad_address, last_email } = invoice;
  const [isEmailed, setEmailed] = useState(false);
  const [isPaid, setPaid] = useState(false);
  const mail = useMail(() => setEmailed(true));
  const number = nameOf(invoice);
  const delivery = last_email?.delivery ?? null;
  const request: MailRequest = { invoice: { id, number }, kind: 'pay-link', email, delivery };
  const off = addressBlockReason(email, bad_address);
  return (
    <div className="take-by-link">
      {!isPaid && (
        <MailButton
          kind="pay-link"
          number={number}
          email={email}
          busy={mail.sending !== null}
          note={email && `to ${email}`}
          {...(off && { off })}
          onSend={() => (deliveryWarning(email, delivery) ? mail.openDialog(request) : void mail.send(request))}
        />
      )}
      {mail.dialog && <MailDialog {...mail.dialog} />}
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
      <PayByQr
        invoiceId={id}
        amount={amount}
        currency={currency}
        onPaid={() => {
          setPaid(true);
          onPaid();
        }}
        {...(isEmailed && { mailedId: payId })}
      />
    </div>
  );
}
