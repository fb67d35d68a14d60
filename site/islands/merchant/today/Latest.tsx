import { useId } from 'react';
import type { TodayMovement } from '#shared/contracts/today';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { howMoved } from './words.ts';

/** The newest movements of the day; null while they are loading. */
export function Latest({ movements, isLive }: { movements: TodayMovement[] | null; isLive: boolean }) {
  const id = useId();
  return (
    <section className="today-part" aria-labelledby={id}>
      <div className="today-part-head">
        <h3 id={id}>Latest payments</h3>
        <p className={isLive ? 'today-live' : 'today-live today-paused'}>{isLive ? 'Live' : 'Paused'}</p>
      </div>
      {movements?.length === 0 ? (
        <p className="today-card today-none">
          <Icon name="clock" />
          The first payment of today will stand here.
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
        <span>{howMoved(movement)}</span>
      </p>
      <Money amount={amount} currency="USD" />
    </li>
  );
}
