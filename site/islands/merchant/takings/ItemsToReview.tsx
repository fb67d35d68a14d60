import type { Takings } from '#shared/contracts/payments/takings';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { formatAmount } from './takings.ts';

export type ReviewItem = { key: string; title: string; location: string; amount: string; isAlike: boolean };

const NUMBER_WORDS = ['', '', 'Two', 'Three', 'Four', 'Five'];
const timeOf = (iso: string) => formatTime(new Date(iso));
const locationOf = ({ terminal, customer }: { terminal: string; customer: string }) =>
  [terminal || 'Online', customer].filter(Boolean).join(', ');

/** Returns the payments to check before signing: those that look alike, and those with an unknown outcome. */
export const reviewItemsOf = ({ look_alikes: alikes, unknown }: Takings): ReviewItem[] => [
  ...alikes.map((alike) => ({
    key: `${alike.card} ${alike.at[0]}`,
    title: `${NUMBER_WORDS[alike.at.length] ?? alike.at.length} payments look alike: ${alike.card}, ${alike.at.map(timeOf).join(' and ')}`,
    location: locationOf(alike),
    amount: `${alike.at.length} x ${formatAmount(alike.amount)}`,
    isAlike: true,
  })),
  ...unknown.map((payment) => ({
    key: `${payment.invoice_number} ${payment.at}`,
    title: `Not known yet, ${payment.invoice_number}: do not take it again`,
    location: locationOf(payment),
    amount: formatAmount(payment.amount),
    isAlike: false,
  })),
];

export function ReviewTable({ looks }: { looks: ReviewItem[] }) {
  return (
    <section className="sheet-part">
      <h3>Check these before you sign</h3>
      <table className="sheet-looks">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className="sheet-wide">
              Where
            </th>
            <th scope="col">Amount</th>
            <th scope="col">Checked</th>
          </tr>
        </thead>
        <tbody>
          {looks.map(({ key, title, location: place, amount, isAlike }) => (
            <tr key={key}>
              <td>
                {title}
                <span className="sheet-narrow">. {place}</span>
              </td>
              <td className="sheet-wide">{place}</td>
              <td>{amount}</td>
              <td>
                {isAlike
                  ? ['kept', 'refunded'].map((word) => (
                      <span key={word} className="sheet-choice">
                        <span className="sheet-box" />
                        {word}
                      </span>
                    ))
                  : 'not in these sums'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
