import { useCallback, useEffect, useRef, useState } from 'react';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { moneyIn } from '#shared/words/formats';
import type { PayPageWords } from '#shared/words/pay-words';
import { ErrorBoundary } from '../ui/Boundary.tsx';
import { reportOpened } from './api.ts';
import { Bill } from './Bill.tsx';
import { Confirming } from './Confirming.tsx';
import { paidPartOf } from './Part.tsx';
import { PayForm } from './PayForm.tsx';
import { type PayPageFill, readPage } from './pay-view.ts';
import { createRefusal, type Phase, type Problem, phaseOf, problemOf } from './phase.ts';
import { AlreadyPaidPanel, SubmittedPanel, Success } from './Success.tsx';
import { usePayment } from './use-payment.ts';
import { PayWords, usePayWords } from './words.ts';
import '#site/styles/parts/feedback/notice.css';
import '#site/styles/areas/payer/pay.css';
import '#site/styles/areas/payer/pay-actions.css';
import { mailHref, telHref } from '#shared/contact';
import '#site/styles/parts/page/contact.css';

/** The contact details of the business. They are at the end, so that the form comes first. */
export function Contact({ texts }: { texts: PayPageFill }) {
  const { form: words } = usePayWords();
  return (
    <section className="contact" aria-labelledby="pay-contact">
      <h2 className="contact-lead" id="pay-contact">
        {words.questions}
      </h2>
      {texts.phone !== null && (
        <p data-row="phone">
          <a data-href="tel" data-fill="phone" href={telHref(texts.phone)}>
            {texts.phone}
          </a>
        </p>
      )}
      {texts.email !== null && (
        <p data-row="email">
          <a data-href="mail" data-fill="email" href={mailHref(texts.email)}>
            {texts.email}
          </a>
        </p>
      )}
    </section>
  );
}

/** The pay page. `words` are the texts in its language. */
export function PayPage({ words }: { words: PayPageWords }) {
  return (
    <PayWords value={words}>
      <ErrorBoundary error={<BrokenPage />}>
        <Page />
      </ErrorBoundary>
    </PayWords>
  );
}

/** The delay (ms) before a broken page is reloaded. */
const RELOAD_MS = 5000;

/**
 * Replaces a page that failed to render, possibly during a payment, and reloads it until it shows the outcome. It uses
 * none of the code that may have failed.
 */
function BrokenPage() {
  const { outcome: words } = usePayWords();
  useEffect(() => void setTimeout(() => location.reload(), RELOAD_MS), []);
  return (
    <div className="outcome">
      <h2>{words.confirming}</h2>
      <p>{words.doNotPayAgain}</p>
    </div>
  );
}

function Page() {
  const words = usePayWords();
  const [{ view, texts, lines }] = useState(() => readPage(words));
  const [phase, setPhase] = useState<Phase>(
    texts.form === null
      ? { kind: 'confirming', since: view.pendingSince ?? null, until: view.pendingUntil, isReceived: true }
      : { kind: 'form' },
  );
  // The form stays mounted during the confirmation, so that it still has its text when it reappears after a decline.
  const [hasForm, setHasForm] = useState(texts.form !== null);
  const [problem, setProblem] = useState<{ id: number; details: Problem } | null>(null);
  const lastProblemId = useRef(0);

  const onProblem = useCallback((details: Problem | null) => {
    lastProblemId.current += 1;
    setProblem(details && { id: lastProblemId.current, details });
  }, []);
  // This runs after the first render, which must equal the built page.
  useEffect(() => {
    if (view.notChargedAt) onProblem({ kind: 'not-charged', at: view.notChargedAt, isNews: false });
  }, [view.notChargedAt, onProblem]);
  useEffect(() => reportOpened(view.payId), [view.payId]);
  const payment = usePayment(view, { onPhase: setPhase, onProblem });
  const { refuseCard: resetAttempt } = payment;
  const onAnswer = useCallback(
    (status: PaymentStatus, isOwnPayment: boolean) => {
      const next = phaseOf(status);
      if (next) return setPhase(next);
      setHasForm(true);
      setPhase({ kind: 'form' });
      const definiteProblem = isOwnPayment ? problemOf(status, words) : null;
      // Only a definite outcome allows a new attempt with another key.
      if (definiteProblem) resetAttempt();
      // A payment that was not found may still arrive, so the message does not state that nothing was charged.
      onProblem(definiteProblem ?? createRefusal(words.outcome.notSeen, { wasNotCharged: false }));
    },
    [onProblem, resetAttempt, words],
  );

  const isConfirming = phase.kind === 'confirming';
  const part = phase.kind === 'approved' ? paidPartOf(view, phase.transaction) : null;
  const isFormMounted = hasForm && (phase.kind === 'form' || isConfirming);
  return (
    <div className="pay">
      <Bill
        texts={texts}
        lines={lines}
        kind={phase.kind}
        partPaid={part && moneyIn(words.language, part.cents, view.invoice.currency)}
      />
      <div className="pay-work">
        {isFormMounted && (
          <section data-row="form" hidden={isConfirming} aria-label={words.form.payment}>
            <noscript>
              <p className="pay-noscript">{words.form.noScript}</p>
            </noscript>
            <PayForm view={view} texts={texts} payment={payment} problem={problem} onProblem={onProblem} />
          </section>
        )}
        {(isConfirming || import.meta.env.SSR) && (
          <section data-row="confirming" aria-labelledby="pay-confirming">
            <Confirming
              payId={view.payId}
              timeZone={view.timeZone}
              attemptKey={isConfirming ? (phase.attemptKey ?? null) : null}
              startedAt={isConfirming ? phase.since : null}
              until={isConfirming ? phase.until : undefined}
              isReceived={!isConfirming || phase.isReceived}
              takesFocus={isConfirming && hasForm}
              onAnswer={onAnswer}
            />
          </section>
        )}
        {phase.kind === 'approved' && (
          <Success
            transaction={phase.transaction}
            view={view}
            remainingCents={part?.left ?? null}
            receiptUrl={phase.receiptUrl}
          />
        )}
        {phase.kind === 'submitted' && <SubmittedPanel {...phase} currency={view.invoice.currency} />}
        {phase.kind === 'already-paid' && <AlreadyPaidPanel {...phase} currency={view.invoice.currency} />}
      </div>
      <Contact texts={texts} />
    </div>
  );
}
