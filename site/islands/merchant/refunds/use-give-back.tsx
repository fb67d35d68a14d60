import { useEffect, useEffectEvent, useState } from 'react';
import type { ReversalView } from '#shared/contracts/payments/batches';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { type Asked, fetchReversal, ReversalNotice, reversalsOf } from './Reversal.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

/** `number`: of the invoice, for the person. */
export type GivenBack = { id: string; number: string };

type Props = {
  /** The payments on the screen. */
  shown: GivenBack[];
  /** The address of a terminal's batch. */
  batchAt(terminalId: string, batchId: string): string;
  onChanged(): void;
};

/**
 * Voids or refunds one payment at a time: reads what is possible, asks for confirmation, then follows the outcome. After
 * a login in between, it continues at the same step.
 */
export function useGiveBack({ shown, batchAt, onChanged }: Props) {
  const [payment, setPayment] = useState<GivenBack | null>(null);
  const [view, setView] = useState<ReversalView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [answered, setAnswered] = useState<{ payment: GivenBack; reply: Asked; terminalId: string } | null>(null);
  const close = () => {
    setPayment(null);
    setView(null);
  };
  const ask = async (wanted: GivenBack) => {
    if (payment) return;
    setPayment(wanted);
    setFailure(null);
    const answer = await fetchReversal(wanted.id);
    if (answer.ok && answer.value.offer.kind) return setView(answer.value);
    close();
    setFailure(answer.ok ? answer.value.offer.why : answer.error.message);
  };
  const isShown = shown.length > 0;
  const onShown = useEffectEvent(() => {
    const left = shown.find(({ id }) => sessionStorage.getItem(reversalsOf(id)) !== null);
    if (left) void ask(left);
  });
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);

  return {
    ask: (wanted: GivenBack) => void ask(wanted),
    /** The id of the payment that is being read. */
    reading: view ? null : (payment?.id ?? null),
    outcome: answered && (
      <ReversalNotice
        paymentId={answered.payment.id}
        number={answered.payment.number}
        reply={answered.reply}
        batchAt={(id) => batchAt(answered.terminalId, id)}
        onSettled={onChanged}
        onClose={() => setAnswered(null)}
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
          setAnswered({ payment, reply, terminalId: view.payment.terminal_id });
          close();
          onChanged();
        }}
        onCancel={close}
      />
    ),
  };
}
