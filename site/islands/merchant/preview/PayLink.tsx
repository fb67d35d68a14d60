import { useId, useState } from 'react';
import type { InvoicePreviewReply, PayLinkReply } from '../../../../shared/contracts/preview.ts';
import { notPaidOnline, ONLINE_CURRENCY } from '../../../../shared/money.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Button } from '../../ui/form/Button.tsx';
import { formatDay } from '../../ui/format-moment.ts';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { CopyLink } from '../mail/CopyLink.tsx';
import { MailAlert } from '../mail/MailAlert.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { kindFor } from '../mail/mail-kinds.ts';
import { useMail } from '../mail/use-mail.ts';
import { moneyOf } from '../parts/amount.ts';
import { may } from '../parts/app-view.ts';
import { ForRole } from '../parts/ForRole.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { safeLink } from '../parts/safe-link.ts';
import { makeLink } from '../pay-links/pay-link.ts';
import { RevokeLink } from '../pay-links/RevokeLink.tsx';
import { nameOf } from './texts.ts';

const paymentBack = lazyScreen(() => import('../refunds/PaymentBack.tsx').then((code) => code.PaymentBack));

type Props = {
  invoice: InvoicePreviewReply;
  onChange(part: Partial<InvoicePreviewReply>): void;
  /** More has changed than the reply tells, so read the invoice again. */
  onReread(): void;
};

/** The mail that fits the invoice's status, and the link in it. */
export function PayLink({ invoice, onChange, onReread }: Props) {
  const headId = useId();
  const { id, properties, email, mailed, mailed_at, delivery, bad_address, receipt_url } = invoice;
  const number = nameOf(invoice);
  const mail = useMail((_of, kind, { sent_at }) => onChange({ mailed: kind, mailed_at: sent_at, delivery: null }));
  const kind = invoice.can_collect_again ? 'receipt' : kindFor(properties.hs_invoice_status);
  // Not paid online: in another currency.
  const isOtherwise = kind === 'pay-link' && properties.hs_currency !== ONLINE_CURRENCY;
  const receipt = receipt_url && safeLink(new URL(receipt_url, window.location.origin).href);

  return (
    <section className="preview-link screen-only" aria-labelledby={headId}>
      <h2 id={headId}>{kind === 'receipt' ? 'Receipt' : 'Pay link'}</h2>
      <MailAlert outcome={mail.outcome} onClose={mail.close} />
      {bad_address && (
        <Banner tone="warn" lead={`Mail to ${email} does not arrive:`}>
          correct it in HubSpot.
        </Banner>
      )}
      {isOtherwise ? (
        <p className="preview-link-state">{notPaidOnline(properties.hs_currency)}</p>
      ) : (
        <ForRole least="desk" act={kind === 'receipt' ? 'send receipts' : 'make and send pay links'}>
          <MailButton
            kind={kind}
            number={number}
            email={email}
            last={mailed && mailed_at ? { kind: mailed, at: mailed_at, delivery } : null}
            busy={mail.sending !== null}
            onSend={() => void mail.send({ id, number }, kind)}
          />
        </ForRole>
      )}
      {kind === 'pay-link' && !isOtherwise && may('desk') && (
        <LinkState invoice={invoice} onLink={(pay_link) => onChange({ pay_link })} />
      )}
      {(invoice.payment_id || invoice.can_collect_again) && (
        <Lazy of={paymentBack} props={{ invoice, onChanged: onReread }} />
      )}
      {receipt && (
        <a className="preview-receipt" href={receipt} target="_blank" rel="noopener">
          View receipt
        </a>
      )}
    </section>
  );
}

type LinkProps = { invoice: InvoicePreviewReply; onLink(link: PayLinkReply): void };

function LinkState({ invoice, onLink }: LinkProps) {
  const [isMaking, setMaking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { id, properties, pay_link } = invoice;
  const make = async () => {
    setMaking(true);
    const answer = await makeLink(id);
    setMaking(false);
    setFailure(answer.ok ? null : answer.error.message);
    if (answer.ok) onLink(answer.value);
  };
  const isLive = pay_link !== null && Date.parse(pay_link.ends_at) > Date.now();

  return (
    <>
      <div className="preview-link-ways">
        {isLive ? (
          <>
            <CopyLink url={pay_link.url} />
            <RevokeLink
              invoice={{
                id,
                number: nameOf(invoice),
                amount: moneyOf(properties.hs_balance_due, properties.hs_currency),
              }}
              onReplaced={onLink}
            />
          </>
        ) : (
          <Button kind="ghost" busy={isMaking} onClick={() => void make()}>
            Make a pay link
          </Button>
        )}
      </div>
      <p className="preview-link-state">{stateOf(pay_link, isLive)}</p>
      {failure && (
        <Banner tone="bad" lead="The pay link could not be made." onDismiss={() => setFailure(null)}>
          {failure}
        </Banner>
      )}
    </>
  );
}

function stateOf(link: PayLinkReply | null, isLive: boolean): string {
  if (!link) return 'There is no pay link yet.';
  return isLive ? `Works until ${formatDay(link.ends_at)}.` : `Ended ${formatDay(link.ends_at)}.`;
}
