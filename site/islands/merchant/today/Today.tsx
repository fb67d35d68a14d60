import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { useSkeleton } from '#site/islands/ui/table/DataTable.tsx';
import { may } from '../parts/app-view.ts';
import { useTakeBlock } from '../parts/online-off.ts';
import { paymentsOf } from '../parts/payments-address.ts';
import { LoadFailure } from '../parts/use-load.tsx';
import { Needs } from './Needs.tsx';
import { Strip } from './Strip.tsx';
import { Sums, TodayTakings } from './Sums.tsx';
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
        <AppLink href={paymentsOf()}>All payments</AppLink>
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
  const block = useTakeBlock();
  const load = useToday(onMoved);
  const { value, failure, isReading, announcement, reload } = load;
  const isLoading = useSkeleton(!value && !failure);
  const onReady = useEffectEvent(onSettled);
  // Runs before the browser paints, so that the content below appears in the same frame.
  useLayoutEffect(() => {
    if (!isLoading) onReady();
  }, [isLoading]);
  if (!isLoading && !value) return <LoadFailure lead="The day’s figures could not be loaded." load={load} />;

  const today = isLoading ? null : value;
  const asOf = today && failure ? formatTime(new Date(today.at)) : null;
  return (
    <div className={asOf ? 'today today-stale' : 'today'} aria-busy={isLoading || undefined}>
      <p role="status" className="sr-only">
        {isLoading ? 'Loading...' : announcement}
      </p>
      {asOf && failure && (
        <LateBanner
          tone="warn"
          lead="The figures could not be updated."
          actions={
            <button type="button" className="text-button" aria-disabled={isReading || undefined} onClick={reload}>
              Retry
            </button>
          }
        >
          Showing figures of {asOf}, last try {formatTime(failure.at)}. Press Retry to count payments since then.
        </LateBanner>
      )}
      <div className="today-day">
        <TodayTakings today={today} asOf={asOf} />
        <Strip today={today} />
      </div>
      {may('collect') && !block && (
        <AppLink className="button button-primary button-lg today-take-phone" href="/payments">
          Take Payment
        </AppLink>
      )}
      <Sums today={today} />
      {/* The key remounts the lists when the figures arrive, since a longer list would count as a layout shift. */}
      <div key={today ? 'lists' : 'loading'} className="today-lists">
        <Needs today={today} />
        <LatestPayments movements={today?.latest ?? null} isLive={!failure} />
      </div>
    </div>
  );
}
