import { Icon } from '#site/islands/ui/Icon.tsx';

const CLEAR_TEXTS = [
  'No payment needs a decision.',
  'All payments are confirmed.',
  'No payments of today look like duplicates.',
  'Everything agrees.',
];

/** Replaces the lists if none of them has a row. */
export const AllClear = () => (
  <section className="card checks-clear" aria-labelledby="clear-title">
    <Icon name="circleCheck" />
    <div>
      <h3 id="clear-title">All clear</h3>
      <p>Nothing to check.</p>
      <ul>
        {CLEAR_TEXTS.map((line) => (
          <li key={line}>
            <Icon name="check" size="sm" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </div>
  </section>
);
