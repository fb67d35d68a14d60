import type { Today } from '#shared/contracts/today';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { compared, madeToday } from './words.ts';

/** What the day took. `asOf`: the time of figures that could not be read again. */
export function Taken({ today, asOf }: { today: Today | null; asOf: string | null }) {
  const comparison = today && compared(today);
  return (
    <section className="taken" aria-label="Taken today">
      <p className="taken-label">{asOf ? `Taken today by ${asOf}` : 'Taken today'}</p>
      <p className="taken-amount">
        {today ? <Money amount={today.taken} currency="USD" /> : <span className="skeleton" />}
      </p>
      <p className="taken-against">
        {!today && <span className="skeleton" />}
        {comparison?.way && (
          <strong className={`taken-${comparison.way}`}>
            <Icon name={comparison.way === 'more' ? 'arrowUp' : 'arrowDown'} size="sm" />
            {comparison.lead}
          </strong>
        )}{' '}
        {comparison?.rest}
      </p>
      <p className="taken-made">{today ? madeToday(today) : <span className="skeleton" />}</p>
    </section>
  );
}
