import type { Today } from '#shared/contracts/payments/today';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { paymentsPath } from '../common/payments-address.ts';
import {
  compareWithLastWeek,
  describeActivity,
  describeOverdue,
  describeOwed,
  describeToCheck,
  formatDollars,
} from './words.ts';

const sumsOf = (today: Today | null) => [
  {
    name: 'Owed',
    address: '/openInvoices?status=owed',
    amount: today?.owed.amount,
    more: today && describeOwed(today.owed),
  },
  {
    name: 'Overdue',
    address: '/openInvoices?sort=due_date&status=overdue',
    amount: today?.overdue.amount,
    more: today && describeOverdue(today.overdue),
  },
  {
    name: 'To check',
    address: '/checks',
    amount: today?.to_check.amount,
    more: today && describeToCheck(today.to_check),
  },
];

/** The outstanding amounts, with links to the items behind them. */
export function OutstandingSums({ today }: { today: Today | null }) {
  return (
    <nav className="sums" aria-label="Outstanding">
      {sumsOf(today).map(({ name, address, amount, more }) => (
        <AppLink key={name} href={address}>
          <span className="sum-name">
            {name}
            <Comma />
          </span>
          <span className="sum-money money">
            {amount === undefined ? <span className="skeleton" /> : formatDollars(amount)}
            <Comma />
          </span>
          <span className="sum-more">{more ?? <span className="skeleton" />}</span>
          <Icon name="next" size="sm" />
        </AppLink>
      ))}
    </nav>
  );
}

/** A pause for screen readers, so that the link is not read as one word. */
const Comma = () => <span className="sr-only">, </span>;

/** The day's takings. `asOf` is the time of the figures if they are outdated. */
export function TodayTakings({ today, asOf }: { today: Today | null; asOf: string | null }) {
  const comparison = today && compareWithLastWeek(today);
  return (
    <section className="taken" aria-label="Taken today">
      <p className="taken-label">{asOf ? `Taken today by ${asOf}` : 'Taken today'}</p>
      <p className="taken-amount">
        {today ? (
          <AppLink href={paymentsPath(today.day)} className="taken-link">
            <Money amount={today.taken} currency="USD" />
            <span className="sr-only">, all payments of today</span>
          </AppLink>
        ) : (
          <span className="skeleton" />
        )}
      </p>
      <p className="taken-against">
        {!today && <span className="skeleton" />}
        {comparison?.direction && (
          <strong className={`taken-${comparison.direction}`}>
            <Icon name={comparison.direction === 'more' ? 'arrowUp' : 'arrowDown'} size="sm" />
            {comparison.lead}
          </strong>
        )}{' '}
        {comparison?.text}
      </p>
      <p className="taken-made">{today ? describeActivity(today) : <span className="skeleton" />}</p>
    </section>
  );
}
