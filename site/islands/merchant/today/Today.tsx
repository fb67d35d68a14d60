import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { useSkeleton } from '#site/islands/ui/table/DataTable.tsx';
import { hasRight } from '../common/app-view.ts';
import { usePaymentBlockReason } from '../common/online-off.ts';
import { paymentsPath } from '../common/payments-address.ts';
import { LoadFailure } from '../common/use-load.tsx';
import { AttentionItems } from './Needs.tsx';
import { TakingsStrip } from './Strip.tsx';
import { OutstandingSums, TodayTakings } from './Sums.tsx';
import { useToday } from './use-today.ts';
import '#site/styles/areas/merchant/today.css';
import '#site/styles/areas/merchant/today-lists.css';
import '#site/styles/parts/table/skeleton.css';
import type { TodayMovement } from '#shared/contracts/payments/today';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { describeDetails } from './words.ts';

/** The day's newest movements of money. `movements` is null while they load. */
export function LatestPayments({ movements, isLive }: { movements: TodayMovement[] | null; isLive: boolean }) {
  const id = useId();
  return (
    <section className="today-part" aria-labelledby={id}>
      <div className="today-part-head">
        <h3 id={id}>Latest payments</h3>
        <p className={isLive ? 'today-live' : 'today-live today-paused'}>{isLive ? 'Live' : 'Paused'}</p>
        <AppLink href={paymentsPath()}>All payments</AppLink>
      </div>
      {movements?.length === 0 ? (
        <p className="today-card today-none">
          <Icon name="clock" />
          Today’s first payment will appear here.
        </p>
      ) : (
        <ul className="today-card">
          {movements
            ? movements.map((movement) => (
                <Movement key={`${movement.invoice.id} ${movement.id}`} movement={movement} />
              ))
            : ['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
                <li key={row} className="feed">
                  <span className="skeleton" />
                  <span className="skeleton" />
                  <span className="skeleton" />
                </li>
              ))}
        </ul>
      )}
    </section>
  );
}

function Movement({ movement }: { movement: TodayMovement }) {
  const { invoice, customer, amount, at } = movement;
  return (
    <li className="feed">
      <time dateTime={at}>{formatTime(new Date(at))}</time>
      <p className="feed-who">
        <AppLink href={`/invoice/${encodeURIComponent(invoice.id)}`}>{customer || invoice.number}</AppLink>{' '}
        <span>{describeDetails(movement)}</span>
      </p>
      <Money amount={amount} currency="USD" />
    </li>
  );
}

type Props = {
  /** Called when the figures have loaded or failed, so that nothing below moves anymore. */
  onSettled(): void;
  /** Called when money has moved since the page opened, so that other figures are outdated. */
  onMoved(): void;
};

/** The top of the dashboard: the day's takings, the amounts owed, and the items that need attention. */
export function Today({ onSettled, onMoved }: Props) {
  const block = usePaymentBlockReason();
  const load = useToday(onMoved);
  const { value, failure, isLoading, announcement, reload } = load;
  const showsSkeleton = useSkeleton(!value && !failure);
  const notifySettled = useEffectEvent(onSettled);
  // Runs before the browser paints, so that the content below appears in the same frame.
  useLayoutEffect(() => {
    if (!showsSkeleton) notifySettled();
  }, [showsSkeleton]);
  if (!showsSkeleton && !value) return <LoadFailure lead="The day’s figures could not be loaded." load={load} />;

  const today = showsSkeleton ? null : value;
  const asOf = today && failure ? formatTime(new Date(today.at)) : null;
  return (
    <div className={asOf ? 'today today-stale' : 'today'} aria-busy={showsSkeleton || undefined}>
      <p role="status" className="sr-only">
        {showsSkeleton ? 'Loading...' : announcement}
      </p>
      {asOf && failure && (
        <LateBanner
          tone="warn"
          lead="The figures could not be updated."
          actions={
            <button type="button" className="text-button" aria-disabled={isLoading || undefined} onClick={reload}>
              Retry
            </button>
          }
        >
          Showing figures of {asOf}, last try {formatTime(failure.at)}. Press Retry to count payments since then.
        </LateBanner>
      )}
      <div className="today-day">
        <TodayTakings today={today} asOf={asOf} />
        <TakingsStrip today={today} />
      </div>
      {hasRight('collect') && !block && (
        <AppLink className="button button-primary button-lg today-take-phone" href="/payments">
          Take Payment
        </AppLink>
      )}
      <OutstandingSums today={today} />
      {/* The key remounts the lists when the figures arrive, since a longer list would count as a layout shift. */}
      <div key={today ? 'lists' : 'loading'} className="today-lists">
        <AttentionItems today={today} />
        <LatestPayments movements={today?.latest ?? null} isLive={!failure} />
      </div>
    </div>
  );
}
