import type { Owed } from '../../../../shared/contracts/owed.ts';
import { ONLINE_CURRENCY } from '../../../../shared/money.ts';
import { AppLink } from '../../ui/routing/router.tsx';
import { moneyOf } from '../parts/amount.ts';

const dollars = (amount: string) => moneyOf(amount, ONLINE_CURRENCY);

const tabsOf = (owed: Owed | null) => [
  {
    status: 'overdue',
    name: 'Overdue',
    search: '?sort=due_date&status=overdue',
    count: owed?.overdue.count,
    sum: owed && dollars(owed.overdue.amount),
  },
  {
    status: 'due',
    name: 'Due',
    search: '?sort=due_date&status=due',
    count: owed?.due.count,
    sum: owed && dollars(owed.due.amount),
  },
  {
    status: 'paid',
    name: 'Paid',
    search: '?status=paid',
    count: owed?.paid.count,
    sum: owed && `${dollars(owed.paid.amount)} in 30 days`,
  },
  {
    status: '',
    name: 'All',
    search: '',
    count: undefined,
    sum: '',
  },
];

/** What is owed and what was paid, of all rows; each leads to its rows. */
export function OwedTabs({ owed, status }: { owed: Owed | null; status: string }) {
  return (
    <nav className="owed-tabs" aria-label="Open invoices by state">
      {tabsOf(owed).map((tab) => (
        <AppLink key={tab.name} href={`/openInvoices${tab.search}`} isHere={status === tab.status}>
          <span className="owed-name">
            {tab.name} {tab.status !== '' && <span className="owed-count">{tab.count ?? ' '}</span>}
          </span>
          <span className="owed-sum">{tab.sum ?? <span className="skeleton" />}</span>
        </AppLink>
      ))}
    </nav>
  );
}

/** How old what is overdue is; each age leads to its rows. */
export function Ageing({ owed, due }: { owed: Owed | null; due: string }) {
  return (
    <div className="ageing">
      <div className="ageing-bar" aria-hidden="true">
        {owed?.overdue.ages.map(
          ({ days, amount, count }, at) =>
            count > 0 && (
              <span key={days} className={`age-${at + 1}`} style={{ flexGrow: Math.max(1, Number(amount)) }} />
            ),
        )}
      </div>
      <ul className="ages">
        {owed ? (
          owed.overdue.ages.map(({ days, count, amount, from, to }, at) => {
            const range = `${from ?? ''}..${to}`;
            return (
              <li key={days}>
                <AppLink
                  href={`/openInvoices?sort=due_date&status=overdue${due === range ? '' : `&due_date=${range}`}`}
                  isHere={due === range}
                >
                  <span className={`age-key age-${at + 1}`} aria-hidden="true" />
                  {days} days <b>{dollars(amount)}</b> {count}
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
