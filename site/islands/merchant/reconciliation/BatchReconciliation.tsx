import type { ReconciliationSum } from '#shared/contracts/payments/reconciliation';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { negate } from '../common/amount.ts';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { fetchBatchReconciliation } from './api.ts';
import { Differences, isDifference } from './Differences.tsx';

const signedAmount = (kind: ReconciliationSum['what'], amount: string) =>
  kind === 'refunds' ? negate(amount) : amount;

const SUM_NAMES: Record<ReconciliationSum['what'], string> = { sales: 'Sales', refunds: 'Refunds', net: 'Net' };

/** Shows whether a batch's lines agree with its totals and with our ledger. */
export function BatchReconciliation({ terminalId, batchId }: { terminalId: string; batchId: string }) {
  const load = useLoad(`${terminalId} ${batchId}`, 'Failed to match a batch', () =>
    fetchBatchReconciliation(terminalId, batchId),
  );
  const match = load.value;
  const lines = match?.lines ?? [];
  const differences = lines.filter(isDifference);
  const countVerdict = (verdict: (typeof lines)[0]['verdict']) =>
    lines.filter((line) => line.verdict === verdict).length;
  const earlierCount = countVerdict('earlier');
  // The lines may agree with the provider's totals even if our ledger lacks some of the payments.
  const isLedgerComplete = earlierCount + differences.length === 0;
  return (
    <section className="match" aria-labelledby="match-title">
      <h3 id="match-title">Checked against our books</h3>
      <LoadFailure lead="The batch could not be checked." load={load} />
      {!match && !load.failure && (
        <p role="status" className="app-quiet">
          Checking...
        </p>
      )}
      {match && (
        <>
          {earlierCount === lines.length && earlierCount > 0 ? (
            <p>
              Before Tillway: these payments were taken before your terminals were connected, so they are not in our
              books.
            </p>
          ) : (
            <p>
              {countVerdict('matched')} of {lines.length - earlierCount} lines agree with our books
              {differences.length > 0
                ? `, ${differences.length} ${differences.length === 1 ? 'does' : 'do'} not.`
                : '.'}
              {earlierCount > 0 && ` Before Tillway: ${earlierCount} more.`}
            </p>
          )}
          {match.sums.length === 0 && (
            <p className="app-quiet">
              Cannot be compared yet: payments are still coming in, or the provider has not sent totals.
            </p>
          )}
          <ul className="match-sums">
            {match.sums.map(({ what: kind, lines, batch, agrees }) => (
              <li key={kind} className={agrees ? 'match-sum' : 'match-sum match-wrong'}>
                <span className="match-what">{SUM_NAMES[kind]}</span>
                <strong>
                  <Money amount={signedAmount(kind, lines)} currency="USD" />
                </strong>
                {agrees ? (
                  isLedgerComplete && (
                    <Badge tone="ok" icon="check">
                      Agrees
                    </Badge>
                  )
                ) : (
                  <>
                    <span>
                      The batch says <Money amount={signedAmount(kind, batch)} currency="USD" />
                    </span>
                    <Badge tone="bad" icon="alert">
                      Differs
                    </Badge>
                  </>
                )}
              </li>
            ))}
          </ul>
          {differences.length > 0 && <Differences lines={differences} />}
        </>
      )}
    </section>
  );
}
