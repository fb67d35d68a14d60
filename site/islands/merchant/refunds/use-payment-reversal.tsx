import { useEffect, useEffectEvent, useState } from 'react';
import type { ReversalView } from '#shared/contracts/payments/batches';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { fetchReversal, ReversalNotice, type ReversalRequestReply, reversalsPath } from './Reversal.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

/** `number` is the invoice's number for display. */
export type PaymentRef = { id: string; number: string };

type Props = {
  /** The payments on the screen. */
  shownPayments: PaymentRef[];
  /** Returns the URL of a terminal's batch. */
  batchUrlOf(terminalId: string, batchId: string): string;
  onChanged(): void;
};

/**
 * Voids or refunds one payment at a time: loads which of the two is possible, asks for confirmation, then follows the
 * outcome. After an intervening login, it continues at the same step.
 */
export function usePaymentReversal({ shownPayments, batchUrlOf: batchAt, onChanged }: Props) {
  const [payment, setPayment] = useState<PaymentRef | null>(null);
  const [view, setView] = useState<ReversalView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [result, setResult] = useState<{ payment: PaymentRef; reply: ReversalRequestReply; terminalId: string } | null>(
    null,
  );
  const close = () => {
    setPayment(null);
    setView(null);
  };
  const start = async (target: PaymentRef) => {
    if (payment) return;
    setPayment(target);
    setFailure(null);
    const answer = await fetchReversal(target.id);
    if (answer.ok && answer.value.offer.kind) return setView(answer.value);
    close();
    setFailure(answer.ok ? answer.value.offer.why : answer.error.message);
  };
  const isShown = shownPayments.length > 0;
  const onShown = useEffectEvent(() => {
    const interrupted = shownPayments.find(({ id }) => sessionStorage.getItem(reversalsPath(id)) !== null);
    if (interrupted) void start(interrupted);
  });
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);

  return {
    start: (target: PaymentRef) => void start(target),
    /** The id of the payment that is being loaded. */
    loadingId: view ? null : (payment?.id ?? null),
    outcome: result && (
      <ReversalNotice
        paymentId={result.payment.id}
        number={result.payment.number}
        reply={result.reply}
        batchUrlOf={(id) => batchAt(result.terminalId, id)}
        onSettled={onChanged}
        onClose={() => setResult(null)}
      />
    ),
    refusal: failure && (
      <LateBanner tone="note" lead="This payment cannot be voided or refunded now." onDismiss={() => setFailure(null)}>
        {failure}
      </LateBanner>
    ),
    dialog: payment && view?.offer.kind && (
      <ReverseDialog
        payment={{ id: payment.id, invoice_number: payment.number }}
        kind={view.offer.kind}
        remaining={view.offer.left}
        mayRefund={view.offer.may_refund}
        onDone={(reply) => {
          setResult({ payment, reply, terminalId: view.payment.terminal_id });
          close();
          onChanged();
        }}
        onCancel={close}
      />
    ),
  };
}
