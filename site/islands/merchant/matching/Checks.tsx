import { useState } from 'react';
import type { MatchingView, Undecided } from '../../../../shared/contracts/match.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { formatMoment } from '../../ui/format-moment.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Money } from '../../ui/Money.tsx';
import { AppLink } from '../../ui/router.tsx';
import { LoadFailure } from '../batches/LoadFailure.tsx';
import { useLoad } from '../batches/use-load.ts';
import { Differences } from './Differences.tsx';
import { checkNow, fetchMatching } from './matching-calls.ts';
import { ResolveDialog } from './ResolveDialog.tsx';
import '../../../styles/areas/matching.css';

type Asked = { payment: Undecided; verdict: 'charged' | 'not-charged' };

/** What does not agree with the card provider, and payments that a person has to decide on. */
export function Checks() {
  const load = useLoad('matching', 'Failed to fetch what was checked', fetchMatching);
  const [fresh, setFresh] = useState<MatchingView | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState<{ tone: 'ok' | 'bad'; text: string } | null>(null);
  const view = fresh ?? load.value;

  const check = async () => {
    setChecking(true);
    setSaid(null);
    const answer = await checkNow();
    setChecking(false);
    if (answer.ok) setFresh(answer.value);
    else setSaid({ tone: 'bad', text: answer.fault.message });
  };
  return (
    <div className="checks">
      <AppLink href="/batches" className="batches-back">
        <Icon name="previous" size="sm" />
        Batches Dashboard
      </AppLink>
      <div className="checks-head">
        <h2>Payments to check</h2>
        <Button busy={isChecking} onClick={() => void check()}>
          Check now
        </Button>
      </div>
      <LoadFailure lead="What was checked could not be loaded." load={load} />
      {said && (
        <Banner tone={said.tone} onDismiss={() => setSaid(null)}>
          {said.text}
        </Banner>
      )}
      {!view && !load.failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {view && <Checked view={view} onAsk={(payment, verdict) => setAsked({ payment, verdict })} />}
      {asked && (
        <ResolveDialog
          {...asked}
          onDone={(text) => {
            setAsked(null);
            setFresh(null);
            setSaid({ tone: 'ok', text });
            load.reload();
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </div>
  );
}

type CheckedProps = { view: MatchingView; onAsk(payment: Undecided, verdict: Asked['verdict']): void };

function Checked({ view, onAsk }: CheckedProps) {
  const { checked_at, failing_since, undecided, differences, resolved } = view;
  return (
    <>
      <p className="app-quiet">
        {checked_at ? `All payments were checked ${formatMoment(checked_at)}.` : 'Not all payments were checked yet.'}{' '}
        This happens by itself every night.
      </p>
      {failing_since && (
        <Banner tone="warn" lead={`The card provider could not be read since ${formatMoment(failing_since)}.`}>
          We keep trying. What is shown here may be older.
        </Banner>
      )}
      <section aria-labelledby="undecided-title" className="checks-part">
        <h3 id="undecided-title">Waiting for a person</h3>
        {undecided.length === 0 && <p>No payment waits for a person.</p>}
        <ul className="differences">
          {undecided.map((payment) => (
            <li key={payment.payment_id} className="difference">
              <p className="difference-head">
                <AppLink href={`/invoice/${encodeURIComponent(payment.invoice_id)}`}>{payment.invoice_number}</AppLink>
                <strong>
                  <Money amount={payment.amount} currency="USD" />
                </strong>
                <span>{payment.customer}</span>
                <time dateTime={payment.since}>{formatMoment(payment.since)}</time>
              </p>
              <p>
                The card provider and our books contradict each other. Look the payment up at the card provider, then
                say what it was.
              </p>
              <p className="checks-actions">
                <Button size="sm" onClick={() => onAsk(payment, 'charged')}>
                  It was charged<span className="sr-only"> {payment.invoice_number}</span>
                </Button>
                <Button size="sm" onClick={() => onAsk(payment, 'not-charged')}>
                  It was not charged<span className="sr-only"> {payment.invoice_number}</span>
                </Button>
              </p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="differences-title" className="checks-part">
        <h3 id="differences-title">Differences</h3>
        {differences.length === 0 ? <p>Everything agrees.</p> : <Differences lines={differences} />}
      </section>
      {resolved.length > 0 && (
        <section aria-labelledby="resolved-title" className="checks-part">
          <h3 id="resolved-title">Decided by a person</h3>
          <ul className="differences">
            {resolved.map((one) => (
              <li key={`${one.invoice_number} ${one.at}`} className="difference">
                <p className="difference-head">
                  <strong>
                    {one.invoice_number}, <Money amount={one.amount} currency="USD" />
                  </strong>
                  <span>{one.verdict === 'charged' ? 'It was charged' : 'It was not charged'}</span>
                  <span>
                    {one.by}, <time dateTime={one.at}>{formatMoment(one.at)}</time>
                  </span>
                </p>
                <p>{one.note}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
