import type { InvoicePreviewReply } from '../../../../shared/contracts/preview.ts';
import { ONLINE_CURRENCY } from '../../../../shared/money.ts';
import { Button } from '../../ui/form/Button.tsx';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { AppLink } from '../../ui/routing/router.tsx';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { kindFor } from '../mail/mail-kinds.ts';
import { useMail } from '../mail/use-mail.ts';
import { ForRole } from '../parts/ForRole.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { nextStepOf } from './life/next-step.ts';
import { nameOf } from './texts.ts';

const paymentBack = lazyScreen(() => import('../refunds/PaymentBack.tsx').then((code) => code.PaymentBack));

type Props = {
  invoice: InvoicePreviewReply;
  /** More has changed than the reply tells, so read the invoice again. */
  onReread(): void;
};

/** What can be done with an invoice in its state; the next step is green. */
export function Actions({ invoice, onReread }: Props) {
  const { id, properties, email, life } = invoice;
  const number = nameOf(invoice);
  // The line and the list of mails tell of it.
  const mail = useMail(onReread);
  const kind = invoice.can_collect_again ? 'receipt' : kindFor(properties.hs_invoice_status);
  const next = nextStepOf(invoice);
  const isOtherwise = kind === 'pay-link' && properties.hs_currency !== ONLINE_CURRENCY;
  const isUnknown = life.undecided !== null;

  return (
    <div className="preview-next screen-only">
      {next === 'check' && (
        <AppLink href="/checks" className="button button-primary">
          Check payment
        </AppLink>
      )}
      {!isOtherwise && (
        <ForRole least="desk" act={kind === 'receipt' ? 'send receipts' : 'make and send pay links'}>
          <MailButton
            kind={kind}
            number={number}
            email={email}
            last={null}
            busy={mail.sending !== null}
            isNext={next === 'mail'}
            {...(isUnknown && { off: 'We do not know yet whether this was charged.' })}
            onSend={() => void mail.send({ id, number }, kind)}
          />
        </ForRole>
      )}
      {(invoice.payment_id || invoice.can_collect_again) && (
        <Lazy of={paymentBack} props={{ invoice, onChanged: onReread }} />
      )}
      <Button onClick={() => window.print()}>Print</Button>
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
    </div>
  );
}
