import { useEffect, useEffectEvent, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { ReversalView } from '#shared/contracts/payments/batches';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { may } from '../parts/app-view.ts';
import { type Asked, askReopenInvoice, fetchReversal, ReversalNotice, reversalsOf } from './Reversal.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

type Props = {
  invoice: InvoicePreviewReply;
  /** The address of a terminal's batch. */
  batchAt(terminalId: string, batchId: string): string;
  onChanged(): void;
};

/** Reverses an invoice's payment, and then lets the invoice be reopened. */
export function PaymentBack({ invoice, batchAt, onChanged }: Props) {
  const { payment_id: paymentId, can_collect_again: isGivenBack } = invoice;
  return (
    <>
      {paymentId && may('refund') && (
        <GiveBack key={paymentId} paymentId={paymentId} invoice={invoice} batchAt={batchAt} onChanged={onChanged} />
      )}
      {isGivenBack && may('collect') && <CollectAgain invoice={invoice} onChanged={onChanged} />}
    </>
  );
}

function GiveBack({ paymentId, invoice, batchAt, onChanged }: Props & { paymentId: string }) {
  const [view, setView] = useState<ReversalView | null>(null);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [reply, setReply] = useState<{ reply: Asked; batchAt(batchId: string): string } | null>(null);
  const number = invoice.properties.hs_number || invoice.id;
  const ask = async () => {
    setReading(true);
    setFailure(null);
    const answer = await fetchReversal(paymentId);
    setReading(false);
    if (!answer.ok) return setFailure(answer.error.message);
    if (answer.value.offer.kind) return setView(answer.value);
    setFailure(answer.value.offer.why);
  };
  // After a login in between, continue at the same step.
  const onReturn = useEffectEvent(() => {
    if (sessionStorage.getItem(reversalsOf(paymentId))) void ask();
  });
  useEffect(() => onReturn(), []);
  return (
    <>
      {reply && (
        <ReversalNotice
          paymentId={paymentId}
          number={number}
          {...reply}
          onSettled={onChanged}
          onClose={() => setReply(null)}
        />
      )}
      {!invoice.can_collect_again && (
        <Button busy={isReading} onClick={() => void ask()}>
          Void or refund
        </Button>
      )}
      {failure && (
        <Banner tone="note" lead="This payment cannot go back now." onDismiss={() => setFailure(null)}>
          {failure}
        </Banner>
      )}
      {view?.offer.kind && (
        <ReverseDialog
          payment={{ id: paymentId, invoice_number: number }}
          kind={view.offer.kind}
          left={view.offer.left}
          onDone={(done) => {
            setView(null);
            setReply({ reply: done, batchAt: (id) => batchAt(view.payment.terminal_id, id) });
            onChanged();
          }}
          onCancel={() => setView(null)}
        />
      )}
    </>
  );
}

function CollectAgain({ invoice, onChanged }: Pick<Props, 'invoice' | 'onChanged'>) {
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<{ tone: 'note' | 'bad'; text: string } | null>(null);
  const collect = async () => {
    setBusy(true);
    const answer = await askReopenInvoice(invoice.id);
    setBusy(false);
    if (!answer.ok) return setNotice({ tone: 'bad', text: answer.error.message });
    if (answer.value.notice) setNotice({ tone: 'note', text: answer.value.notice });
    else toast(`${invoice.properties.hs_number || invoice.id} is open to payers again.`);
    onChanged();
  };
  return (
    <>
      <p className="preview-link-state">
        The money went back. Payers cannot pay this invoice until you collect it again.
      </p>
      <Button busy={isBusy} onClick={() => void collect()}>
        Collect again
      </Button>
      {notice && <Banner tone={notice.tone} lead={notice.text} onDismiss={() => setNotice(null)} />}
    </>
  );
}
