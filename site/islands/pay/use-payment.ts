import { useCallback, useRef, useState } from 'react';
import { addressFields, type PayView, type TakePaymentRequest } from '#shared/contracts/payment';
import { fetchStatus, sendPayment } from './api.ts';
import type { TokenSource } from './card-sdk.ts';
import { createRefusal, type Phase, type Problem, phaseOf } from './phase.ts';
import type { PayOutcome } from './reply.ts';
import { usePayWords } from './words.ts';

export type PayInput = Pick<
  TakePaymentRequest,
  | 'signature'
  | 'signing'
  | 'firstName'
  | 'lastName'
  | 'address'
  | 'address2'
  | 'city'
  | 'state'
  | 'zip'
  | 'addressOnFile'
  | 'paymentType'
  | 'wallet'
  | 'part'
>;

type Callbacks = {
  onPhase(phase: Phase): void;
  onProblem(problem: Problem): void;
};

export type Payment = ReturnType<typeof usePayment>;

/** Makes payments, one at a time: gets the card token, calls our server, and sets the page's next phase or problem. */
export function usePayment(view: PayView, { onPhase, onProblem }: Callbacks) {
  const words = usePayWords();
  const [processing, setProcessing] = useState(false);
  const [cardFormKey, setCardFormKey] = useState(0);
  const isRunning = useRef(false);
  // The idempotency key, which stays the same until the server has given a definite answer.
  const attemptId = useRef<string>(null);

  /**
   * Returns the key for the status request, or null if none is needed. With the key, an earlier part does not count as
   * the result of this attempt, and the form that paid gets the receipt's URL.
   */
  const statusKey = (isOwn = false) => (view.parts || isOwn ? attemptId.current : null);

  async function pay(card: TokenSource | null, input: PayInput) {
    if (isRunning.current) return;
    isRunning.current = true;
    setProcessing(true);
    try {
      const result = card ? await card.requestToken() : ({ ok: false, message: words.card.notReady } as const);
      if (!result.ok) return result.message ? onProblem(createRefusal(result.message, { next: 'card' })) : undefined;
      attemptId.current ??= crypto.randomUUID();
      const body = {
        ...input,
        paymentDetails: result.token,
        attemptId: attemptId.current,
        ...(view.invoice.amountDue !== null && { amountShown: view.invoice.amountDue }),
      };
      const outcome = await sendPayment(view.payId, body, words);
      await handleOutcome(outcome);
    } finally {
      isRunning.current = false;
      setProcessing(false);
    }
  }

  async function handleOutcome(outcome: PayOutcome) {
    const since = new Date().toISOString();
    switch (outcome.kind) {
      case 'approved':
      case 'submitted':
        return onPhase(outcome);
      case 'pending':
        return onPhase({ kind: 'confirming', since, isReceived: true, attemptKey: statusKey(outcome.isOwn) });
      case 'unreachable':
        return onPhase({ kind: 'confirming', since, isReceived: false, attemptKey: statusKey() });
      case 'unexpected':
        return handleUnexpected(outcome, since);
      case 'refused':
        // The server has ended the attempt with this reply.
        attemptId.current = null;
        return handleRefusal(outcome);
    }
  }

  async function handleUnexpected({ message, failure }: Extract<PayOutcome, { kind: 'unexpected' }>, since: string) {
    const status = await fetchStatus(view.payId, statusKey());
    if (!status) return onPhase({ kind: 'confirming', since, isReceived: false, attemptKey: statusKey() });
    const phase = phaseOf(status);
    if (phase) return onPhase(phase);
    // The status may be that of an earlier attempt. The key stays, so that the next click cannot charge twice.
    onProblem(createRefusal(message, { wasNotCharged: false, failure }));
  }

  async function handleRefusal({ code, message, failure, fields }: Extract<PayOutcome, { kind: 'refused' }>) {
    if (code === 'already-paid') {
      const status = await fetchStatus(view.payId, statusKey());
      const { state, transaction = null, receiptUrl = null } = status ?? {};
      return onPhase({ kind: state === 'submitted' ? state : 'already-paid', transaction, receiptUrl });
    }
    const isAboutCard = failure !== null || code === 'declined' || code === 'token-refused';
    if (isAboutCard) resetAttempt();
    const isIncomplete = addressFields.some((field) => fields.includes(field));
    onProblem(
      createRefusal(message, {
        failure,
        next: isAboutCard ? 'card' : code === 'amount-changed' || code === 'part-refused' ? 'reload' : null,
        address: isAboutCard ? 'declined' : isIncomplete ? 'incomplete' : null,
      }),
    );
  }

  const reopenCardForm = useCallback(() => setCardFormKey((round) => round + 1), []);

  /** Called after a definite refusal of the card. The next payment is a new attempt with an empty card form. */
  const resetAttempt = useCallback(() => {
    attemptId.current = null;
    reopenCardForm();
  }, [reopenCardForm]);

  return { processing, pay, cardRound: cardFormKey, reopenCard: reopenCardForm, refuseCard: resetAttempt };
}
