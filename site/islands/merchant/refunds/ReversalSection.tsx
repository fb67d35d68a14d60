import { useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { hasRight } from '../common/app-view.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { reopenInvoice } from './Reversal.tsx';
import { reversalTexts } from './reversal-texts.ts';
import { usePaymentReversal } from './use-payment-reversal.tsx';

type Props = {
  invoice: InvoicePreviewReply;
  /** Returns the URL of a terminal's batch. */
  batchUrlOf(terminalId: string, batchId: string): string;
  onChanged(): void;
};

/** Lets users void or refund an invoice's payment, and reopen the invoice afterwards. */
export function ReversalSection({ invoice, batchUrlOf: batchAt, onChanged }: Props) {
  const { payment_id: paymentId, can_collect_again: isReversed } = invoice;
  return (
    <>
      {/* After a full reversal, users without the right need no explanation. */}
      {paymentId && (!isReversed || hasRight('refund')) && (
        <RequireRight right="refund" action="void or refund this payment">
          <PaymentReversal
            key={paymentId}
            paymentId={paymentId}
            invoice={invoice}
            batchUrlOf={batchAt}
            onChanged={onChanged}
          />
        </RequireRight>
      )}
      {isReversed && (
        <RequireRight right="collect" action="open this invoice again">
          <CollectAgain invoice={invoice} onChanged={onChanged} />
        </RequireRight>
      )}
    </>
  );
}

function PaymentReversal({ paymentId, invoice, batchUrlOf: batchAt, onChanged }: Props & { paymentId: string }) {
  const payment = { id: paymentId, number: invoice.properties.hs_number || invoice.id };
  const reversal = usePaymentReversal({ shownPayments: [payment], batchUrlOf: batchAt, onChanged });
  return (
    <>
      {reversal.outcome}
      {!invoice.can_collect_again && (
        <Button busy={reversal.loadingId !== null} onClick={() => reversal.start(payment)}>
          Void or refund
        </Button>
      )}
      {reversal.refusal}
      {reversal.dialog}
    </>
  );
}

function CollectAgain({ invoice, onChanged }: Pick<Props, 'invoice' | 'onChanged'>) {
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<{ tone: 'note' | 'bad'; text: string } | null>(null);
  const collect = async () => {
    setBusy(true);
    const answer = await reopenInvoice(invoice.id);
    setBusy(false);
    if (!answer.ok) return setNotice({ tone: 'bad', text: answer.error.message });
    if (answer.value.notice) setNotice({ tone: 'note', text: answer.value.notice });
    else toast(`${invoice.properties.hs_number || invoice.id} can be paid again.`);
    onChanged();
  };
  return (
    <>
      <p className="preview-link-state">
        The payment was {reversalTexts(invoice.life).participle}. Payers cannot pay this invoice until you collect it
        again.
      </p>
      <Button busy={isBusy} onClick={() => void collect()}>
        Collect again
      </Button>
      {notice && <LateBanner tone={notice.tone} lead={notice.text} onDismiss={() => setNotice(null)} />}
    </>
  );
}
