import { useState } from 'react';
import type { ReconciliationView, Resolution } from '#shared/contracts/payments/reconciliation';
import { partners } from '#shared/partners';
import { formatCount } from '#shared/text/format-count';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { moneyOf } from '../common/amount.ts';
import { hasRight } from '../common/app-view.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { AllClear } from './AllClear.tsx';
import { checkNow, fetchReconciliation } from './api.ts';
import { Differences } from './Differences.tsx';
import { LookAlikes, UnconfirmedPayments } from './LookAlikes.tsx';
import { type Question, ResolveDialog } from './ResolveDialog.tsx';
import { UndecidedPayments } from './Undecided.tsx';
import '#site/styles/areas/merchant/money/reconciliation.css';
import { Money } from '#site/islands/ui/Money.tsx';

/** Lists invoices in parts that take no payments until staff decide which amount is owed. */
export const ChangedAmounts = ({ parts }: { parts: ReconciliationView['frozen_parts'] }) => (
  <section aria-labelledby="changed-title" className="checks-part">
    <h3 id="changed-title">Changed amounts</h3>
    <ul className="differences">
      {parts.map(({ invoice_id, invoice_number, customer, left, shown, since }) => (
        <li key={invoice_id} className="difference">
          <p className="difference-head">
            <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number}</AppLink>
            <strong>
              <Money amount={left} currency="USD" /> left in parts
            </strong>
          </p>
          <p>
            {customer && `${customer}. `}
            {partners.crm} shows <Money amount={shown} currency="USD" /> since {formatMoment(since)}. No more payments
            are taken until someone on your team opens the invoice and confirms what is owed.
          </p>
        </li>
      ))}
    </ul>
  </section>
);

const VERDICT_TEXTS: Record<Resolution['verdict'], string> = {
  charged: 'It was charged',
  'not-charged': 'It was not charged',
  'not-duplicate': 'Not a duplicate',
  happened: 'It happened',
  'not-happened': 'It did not happen',
};

const KIND_PREFIXES: Record<Resolution['about'], string> = { payment: '', void: 'Void of ', refund: 'Refund of ' };

/** Lists the latest decisions of staff, with their notes. */
export function Resolutions({ resolved }: { resolved: Resolution[] }) {
  return (
    <section aria-labelledby="resolved-title" className="checks-part">
      <h3 id="resolved-title">Decided by your team</h3>
      <ul className="differences">
        {resolved.map((resolution) => (
          <li key={resolution.id} className="difference">
            <p className="difference-head">
              <strong>
                {KIND_PREFIXES[resolution.about]}
                {resolution.invoice_number}, <Money amount={resolution.amount} currency="USD" />
              </strong>
              <span>{VERDICT_TEXTS[resolution.verdict]}</span>
              <span>
                {resolution.by}, <time dateTime={resolution.at}>{formatMoment(resolution.at)}</time>
              </span>
            </p>
            <p>{resolution.note}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The screen with differences from the card provider, and payments that staff must decide. */
export function Checks() {
  const load = useLoad('matching', 'Failed to fetch the results of checks', fetchReconciliation);
  const [updatedView, setUpdatedView] = useState<ReconciliationView | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [message, setMessage] = useState<{ tone: 'ok' | 'bad'; text: string } | null>(null);
  const view = updatedView ?? load.value;

  const runCheck = async () => {
    setChecking(true);
    setMessage(null);
    const answer = await checkNow();
    setChecking(false);
    if (answer.ok) setUpdatedView(answer.value);
    else setMessage({ tone: 'bad', text: answer.error.message });
  };
  return (
    <div className="checks">
      <AppLink href="/batches" className="batches-back">
        <Icon name="previous" size="sm" />
        Batches Dashboard
      </AppLink>
      <div className="checks-head">
        <h2>Payments to check</h2>
        <RequireRight right="reconcile" action="check now">
          <Button busy={isChecking} onClick={() => void runCheck()}>
            Check now
          </Button>
        </RequireRight>
      </div>
      <LoadFailure lead="The results could not be loaded." load={load} />
      {message && (
        <LateBanner tone={message.tone} onDismiss={() => setMessage(null)}>
          {message.text}
        </LateBanner>
      )}
      {!view && !load.failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {view && <Results view={view} onAsk={setQuestion} />}
      {question && (
        <ResolveDialog
          question={question}
          onDone={(text) => {
            setQuestion(null);
            setUpdatedView(null);
            setMessage({ tone: 'ok', text });
            load.reload();
          }}
          onCancel={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

/** Describes the payments to check by the same count and amount as the dashboard. */
const describeToCheck = ({ count, amount }: ReconciliationView['to_check']): string =>
  count === 0 ? 'Nothing to check.' : `${formatCount(count, 'payment')} to check, ${moneyOf(amount, 'USD')}.`;

type ResultsProps = { view: ReconciliationView; onAsk(question: Question): void };

function Results({ view, onAsk }: ResultsProps) {
  const { checked_at, failing_since } = view;
  return (
    <>
      <p className="app-quiet">
        {checked_at
          ? `All payments were checked ${formatMoment(checked_at)}.`
          : 'Not all payments have been checked yet.'}{' '}
        Payments are checked every night. <AppLink href="/takings">Card takings</AppLink> compares a day’s batches with
        our books.{' '}
        {hasRight('oversee') && (
          <>
            <AppLink href="/account/payments#recording">Paid here, not in {partners.crm}</AppLink> lists the payments to
            enter there.
          </>
        )}
      </p>
      {failing_since && (
        <Banner tone="warn" lead={`The card provider could not be read since ${formatMoment(failing_since)}.`}>
          We keep trying. What is shown here may be older.
        </Banner>
      )}
      {isClear(view) ? <AllClear /> : <Findings view={view} onAsk={onAsk} />}
      {view.resolved.length > 0 && <Resolutions resolved={view.resolved} />}
    </>
  );
}

/** True if everything was compared and no list has a row. */
const isClear = (view: ReconciliationView): boolean =>
  view.checked_at !== null &&
  view.failing_since === null &&
  view.to_check.count === 0 &&
  [view.undecided, view.undecided_reversals, view.unknown, view.look_alikes, view.frozen_parts, view.differences].every(
    ({ length }) => length === 0,
  );

function Findings({ view, onAsk }: ResultsProps) {
  const missing = view.differences.filter(({ verdict }) => verdict === 'only-ours');
  const differences = view.differences.filter((line) => !missing.includes(line));
  return (
    <>
      <p className="checks-count">{describeToCheck(view.to_check)}</p>
      <UndecidedPayments payments={view.undecided} reversals={view.undecided_reversals} onAsk={onAsk} />
      {view.unknown.length > 0 && <UnconfirmedPayments payments={view.unknown} />}
      {view.look_alikes.length > 0 && <LookAlikes groups={view.look_alikes} onAsk={onAsk} />}
      {view.frozen_parts.length > 0 && <ChangedAmounts parts={view.frozen_parts} />}
      <section aria-labelledby="differences-title" className="checks-part">
        <h3 id="differences-title">Differences</h3>
        {differences.length > 0 ? (
          <Differences lines={differences} />
        ) : (
          <p>
            {view.checked_at
              ? missing.length > 0
                ? 'Everything that the card provider shows is in our books.'
                : 'Everything agrees.'
              : 'Cannot be compared yet: not all payments have been read from the card provider.'}
          </p>
        )}
      </section>
      {missing.length > 0 && (
        <section aria-labelledby="missing-title" className="checks-part">
          <h3 id="missing-title">Only in our books</h3>
          <Differences lines={missing} />
        </section>
      )}
    </>
  );
}
