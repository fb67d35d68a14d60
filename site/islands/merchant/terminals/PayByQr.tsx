import { type ReactNode, useState } from 'react';
import type { PayLinkReply } from '#shared/contracts/payments/pay-links';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../common/Lazy.tsx';
import { useLinkBlockReason } from '../common/online-off.ts';
import { CopyLink } from '../mail/CopyLink.tsx';
import { createLink } from '../pay-links/open-invoices.ts';
import { fetchPaymentStatus } from './api.ts';
import { moneyOf } from './sale-words.ts';

const qrCode = lazyScreen(() => import('../pay-links/QrCode.tsx').then((code) => code.QrCode));
const POLL_MS = 2_000;

type Props = {
  invoiceId: string;
  amount: string;
  currency: string;
  onPaid?(): void;
  /** The pay id of a link that was emailed from this screen. Its outcome is shown as well. */
  mailedId?: string;
  /** Another action, which is shown to the right of the button. */
  sideAction?: ReactNode;
  size?: 'lg';
};

/** Lets the customer pay on their own phone, and shows the outcome automatically. */
export function PayByQr({ invoiceId, amount, currency, onPaid, mailedId, sideAction, size }: Props) {
  const [link, setLink] = useState<PayLinkReply | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [status, setStatus] = useState<PaymentStatus>({ state: 'none' });
  const block = useLinkBlockReason();
  const watchedId = link?.id ?? mailedId;
  const isOver = status.state === 'paid' || status.state === 'submitted';
  const create = async () => {
    setCreating(true);
    const answer = await createLink(invoiceId);
    setCreating(false);
    setFailure(answer.ok ? null : answer.error.message);
    if (answer.ok) setLink(answer.value);
  };
  const poll = async (): Promise<boolean> => {
    const answer = watchedId ? await fetchPaymentStatus(watchedId) : null;
    if (answer?.ok) {
      setStatus(answer.value);
      if (answer.value.state === 'paid' || answer.value.state === 'submitted') onPaid?.();
    }
    return answer?.ok ?? false;
  };
  usePoll(poll, watchedId && !isOver ? POLL_MS : null);

  const money = moneyOf(amount, currency);
  if (!link) {
    return (
      <>
        <div className="take-actions">
          {!isOver && !block && (
            <Button size={size} busy={isCreating} onClick={() => void create()}>
              Show the payment link as QR code
            </Button>
          )}
          {sideAction}
          {failure && (
            <Banner tone="bad" lead="The payment link could not be created." onDismiss={() => setFailure(null)}>
              {failure}
            </Banner>
          )}
        </div>
        {mailedId && <Progress status={status} money={money} />}
      </>
    );
  }
  return (
    <>
      {sideAction && <div className="take-actions">{sideAction}</div>}
      <section className="take-qr" aria-labelledby="take-qr">
        <h2 id="take-qr">Pay by phone</h2>
        {!isOver && (
          <>
            <Lazy screen={qrCode} props={{ text: link.url, label: `Payment link for ${money}` }} />
            <p className="qr-url">{link.url}</p>
            <CopyLink url={link.url} />
          </>
        )}
        <Progress status={status} money={money} />
      </section>
    </>
  );
}

function Progress({ status, money }: { status: PaymentStatus; money: string }) {
  const { state, transaction, receiptUrl } = status;
  const receipt = receiptUrl && (
    <a href={receiptUrl} target="_blank" rel="noopener">
      View receipt
    </a>
  );
  switch (state) {
    case 'paid':
      return (
        <Banner tone="ok" lead={`Paid by link: ${money}`} actions={receipt}>
          {transaction?.card && `Charged to ${transaction.card}.`}
        </Banner>
      );
    case 'submitted':
      return (
        <Banner tone="note" lead="Payment submitted." actions={receipt}>
          The customer pays from a bank account, which takes some days.
        </Banner>
      );
    case 'pending':
      return (
        <Banner tone="note" lead="The customer's payment is being confirmed.">
          Do not start another one.
        </Banner>
      );
    case 'declined':
      return <Banner tone="warn" lead="A payment on the phone was declined. Nothing was charged." />;
    case 'desk':
      return <Banner tone="warn" lead="This invoice is at a card reader. The link opens again when that has ended." />;
    case 'none':
      return (
        <p className="hint" role="status">
          Waiting for the customer. This screen updates automatically.
        </p>
      );
  }
}
