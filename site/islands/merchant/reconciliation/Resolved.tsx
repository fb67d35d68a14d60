import type { Resolution } from '#shared/contracts/reconciliation';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';

const VERDICTS: Record<Resolution['verdict'], string> = {
  charged: 'It was charged',
  'not-charged': 'It was not charged',
  happened: 'It happened',
  'not-happened': 'It did not happen',
};

const ABOUT: Record<Resolution['about'], string> = { payment: '', void: 'Void of ', refund: 'Refund of ' };

/** The latest decisions of staff, with their notes. */
export function Resolved({ resolved }: { resolved: Resolution[] }) {
  return (
    <section aria-labelledby="resolved-title" className="checks-part">
      <h3 id="resolved-title">Decided by a person</h3>
      <ul className="differences">
        {resolved.map((one) => (
          <li key={`${one.invoice_number} ${one.at}`} className="difference">
            <p className="difference-head">
              <strong>
                {ABOUT[one.about]}
                {one.invoice_number}, <Money amount={one.amount} currency="USD" />
              </strong>
              <span>{VERDICTS[one.verdict]}</span>
              <span>
                {one.by}, <time dateTime={one.at}>{formatMoment(one.at)}</time>
              </span>
            </p>
            <p>{one.note}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
