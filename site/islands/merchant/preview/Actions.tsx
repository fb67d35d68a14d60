import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { SendMailReply } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { transactionsAddress } from '../batches/api.ts';
import { hasRight } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { useLinkBlockReason } from '../common/online-off.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { takePaymentPath } from '../lists/customers.ts';
import { addressBlockReason } from '../mail/address-trouble.ts';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { MailDialog } from '../mail/MailDialog.tsx';
import { describeLastMail } from '../mail/mail-words.ts';
import { type MailKind, mailKindFor, useMail } from '../mail/pay-link-or-receipt.ts';
import { nextStepOf, reasonNotToCollect } from './Life.tsx';
import { nameOf } from './texts.ts';

const reversalSection = lazyScreen(() => import('../refunds/ReversalSection.tsx').then((code) => code.ReversalSection));

const itemisedReceipt = lazyScreen(() => import('../mail/ItemisedReceipt.tsx').then((code) => code.ItemisedReceipt));

type Props = {
  invoice: InvoicePreviewReply;
  /** True if the invoice comes from our copy because HubSpot does not respond. */
  isCopy: boolean;
  onChange(changes: Partial<InvoicePreviewReply>): void;
  /** Reloads the invoice after a change that the reply does not describe completely. */
  onReload(): void;
};

/** The actions that the invoice's state allows. The button for the next step is green. */
export function Actions({ invoice, isCopy, onChange, onReload }: Props) {
  const { id, properties, email, mailed, mailed_at, delivery, bad_address, is_deleted_in_crm: isDeleted } = invoice;
  const number = nameOf(invoice);
  const onSent = (mailed: MailKind, { sent_at }: SendMailReply) => {
    onChange({ mailed, mailed_at: sent_at, delivery: null });
    // The timeline and the list of emails must show the new email, too.
    onReload();
  };
  const mail = useMail((_invoice, sentKind, reply) => onSent(sentKind, reply));
  const kind = invoice.can_collect_again ? 'receipt' : mailKindFor(properties.hs_invoice_status);
  const nextStep = nextStepOf(invoice);
  const isOtherCurrency = kind === 'pay-link' && properties.hs_currency !== ONLINE_CURRENCY;
  const linkBlock = useLinkBlockReason();
  // A payment's receipt remains available after HubSpot deletes the invoice.
  const canMail = !isDeleted || (kind === 'receipt' && invoice.receipt_url !== null);
  const isLinkBlocked = kind === 'pay-link' && linkBlock !== null;
  const block = reasonNotToCollect(invoice);
  const isPayable = properties.hs_invoice_status === 'open' && !isOtherCurrency && !block && !isDeleted;
  const canTakePayment = isPayable && invoice.customer_id !== '' && hasRight('collect');
  const emailProblem =
    email === '' && isDeleted
      ? 'The customer’s email address is gone with the invoice.'
      : email === ''
        ? 'There is no email address in HubSpot. Enter one there.'
        : addressBlockReason(email, bad_address);
  const openMailDialog = (options?: { isElsewhere: true }) =>
    mail.openDialog({ invoice: { id, number }, kind, email, delivery, ...options });

  return (
    <div className="preview-next screen-only">
      {nextStep === 'check' && (
        <AppLink href="/checks" className="button button-primary">
          Check payment
        </AppLink>
      )}
      {!isOtherCurrency && canMail && (
        <RequireRight right="collect" action={kind === 'receipt' ? 'send receipts' : 'make and send payment links'}>
          <MailButton
            kind={kind}
            number={number}
            email={email}
            note={mailed && mailed_at && describeLastMail({ kind: mailed, at: mailed_at, delivery }, kind)}
            busy={mail.sending !== null}
            isNext={nextStep === 'mail'}
            {...(bad_address && { off: 'Emails are not delivered' })}
            {...(isCopy && { off: 'Press Retry first' })}
            {...(block && { off: block })}
            onSend={() => openMailDialog()}
          />
        </RequireRight>
      )}
      {canTakePayment && (
        <AppLink
          className={`button ${nextStep === 'take' ? 'button-primary' : 'button-secondary'}`}
          href={takePaymentPath(invoice.customer_id, id)}
        >
          Take Payment
        </AppLink>
      )}
      {(invoice.payment_id || invoice.can_collect_again) && (
        <Lazy screen={reversalSection} props={{ invoice, batchUrlOf: transactionsAddress, onChanged: onReload }} />
      )}
      {kind === 'receipt' && !isDeleted && email !== '' && hasRight('collect') && (
        <Lazy
          screen={itemisedReceipt}
          props={{ invoice: { id, number }, email, onSent: (reply: SendMailReply) => onSent('receipt', reply) }}
        />
      )}
      <Button onClick={() => window.print()}>Print</Button>
      {emailProblem && !isOtherCurrency && canMail && !block && hasRight('collect') && (
        <Banner
          tone="warn"
          lead={emailProblem}
          actions={
            <>
              {!isDeleted && (
                <button type="button" className="text-button" onClick={onReload}>
                  Check again
                </button>
              )}
              {hasRight('configure') && !isCopy && !isLinkBlocked && (
                <button type="button" className="text-button" onClick={() => openMailDialog({ isElsewhere: true })}>
                  Email to another address
                </button>
              )}
            </>
          }
        >
          {!isDeleted && 'Then press Check again.'}
          {kind === 'pay-link' &&
            ` Until then, ${isLinkBlocked ? '' : 'copy the payment link or '}take the payment here.`}
        </Banner>
      )}
      {mail.dialog && <MailDialog {...mail.dialog} />}
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
    </div>
  );
}
