import { useEffect, useEffectEvent, useState } from 'react';
import type { ReversalView } from '#shared/contracts/payments/batches';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { type Asked, fetchReversal, ReversalNotice, reversalsOf } from './Reversal.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

/** `number`: the invoice's number, for display. */
export type PaymentRef = { id: string; number: string };

type Props = {
  /** The payments on the screen. */
  shown: PaymentRef[];
  /** Returns the URL of a terminal's batch. */
  batchAt(terminalId: string, batchId: string): string;
  onChanged(): void;
};

/**
 * Voids or refunds one payment at a time: loads which of the two is possible, asks for confirmation, then follows the
 * outcome. After an intervening login, it continues at the same step.
 */
export function useGiveBack({ shown, batchAt, onChanged }: Props) {
  const [payment, setPayment] = useState<PaymentRef | null>(null);
  const [view, setView] = useState<ReversalView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [result, setResult] = useState<{ payment: PaymentRef; reply: Asked; terminalId: string } | null>(null);
  const close = () => {
    setPayment(null);
    setView(null);
  };
  const ask = async (target: PaymentRef) => {
    if (payment) return;
    setPayment(target);
    setFailure(null);
    const answer = await fetchReversal(target.id);
    if (answer.ok && answer.value.offer.kind) return setView(answer.value);
    close();
    setFailure(answer.ok ? answer.value.offer.why : answer.error.message);
  };
  const isShown = shown.length > 0;
  const onShown = useEffectEvent(() => {
    const interrupted = shown.find(({ id }) => sessionStorage.getItem(reversalsOf(id)) !== null);
    if (interrupted) void ask(interrupted);
  });
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);

  return {
    ask: (target: PaymentRef) => void ask(target),
    /** The id of the payment that is being loaded. */
    reading: view ? null : (payment?.id ?? null),
    outcome: result && (
      <ReversalNotice
        paymentId={result.payment.id}
        number={result.payment.number}
        reply={result.reply}
        batchAt={(id) => batchAt(result.terminalId, id)}
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
        left={view.offer.left}
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
