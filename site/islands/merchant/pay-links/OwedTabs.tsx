import type { Owed } from '#shared/contracts/payments/pay-links';
import { ONLINE_CURRENCY } from '#shared/money';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { moneyOf } from '../common/amount.ts';

const formatDollars = (amount: string) => moneyOf(amount, ONLINE_CURRENCY);

const tabs = [
  { status: 'overdue', name: 'Overdue', search: '?status=overdue' },
  { status: 'due', name: 'Due', search: '?status=due' },
  { status: 'paid', name: 'Paid', search: '?status=paid' },
  { status: '', name: 'All', search: '' },
] as const;

/** Counts the invoices that are in no other tab, for example refunded ones and open ones with nothing to pay. */
function describeOthers({ all, overdue, due, paid }: Owed): string {
  const others = all - overdue.count - due.count - paid.count;
  return others > 0 ? `${others.toLocaleString('en-US')} with another status` : '';
}

/** The totals owed and the number of paid invoices, with links to the invoices. */
export function OwedTabs({ owed, status }: { owed: Owed | null; status: string }) {
  return (
    <nav className="owed-tabs" aria-label="Open invoices by state">
      {tabs.map((tab) => {
        const sum = tab.status ? owed?.[tab.status] : null;
        const isOwed = tab.status === 'overdue' || tab.status === 'due';
        return (
          <AppLink key={tab.name} href={`/openInvoices${tab.search}`} isActive={status === tab.status}>
            <span className="owed-name">
              {tab.name} <span className="owed-count">{(tab.status ? sum?.count : owed?.all) ?? ' '}</span>
            </span>{' '}
            <span className="owed-sum">
              {isOwed && (sum ? formatDollars(sum.amount) : <span className="skeleton" />)}
              {tab.status === 'paid' && 'all time'}
              {tab.status === '' && owed && describeOthers(owed)}
            </span>
          </AppLink>
        );
      })}
    </nav>
  );
}

/** The overdue amounts by age, with links to the invoices. */
export function OverdueByAge({ owed, due }: { owed: Owed | null; due: string }) {
  return (
    <div className="ageing">
      <div className="ageing-bar" aria-hidden="true">
        {owed?.overdue.ages.map(
          ({ days, amount, count }, index) =>
            count > 0 && (
              <span key={days} className={`age-${index + 1}`} style={{ flexGrow: Math.max(1, Number(amount)) }} />
            ),
        )}
      </div>
      <ul className="ages">
        {owed ? (
          owed.overdue.ages.map(({ days, count, amount, from, to }, index) => {
            const range = `${from ?? ''}..${to}`;
            return (
              <li key={days}>
                <AppLink
                  href={`/openInvoices?sort=due_date&status=overdue${due === range ? '' : `&due_date=${range}`}`}
                  isActive={due === range}
                >
                  <span className={`age-key age-${index + 1}`} aria-hidden="true" />
                  {days} days <b>{formatDollars(amount)}</b> {count}
                </AppLink>
              </li>
            );
          })
        ) : (
          <li>
            <span className="skeleton" />
          </li>
        )}
      </ul>
    </div>
  );
}
