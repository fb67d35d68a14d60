import type { Takings } from '#shared/contracts/payments/takings';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { formatAmount } from './takings.ts';

export type Look = { key: string; title: string; place: string; amount: string; isAlike: boolean };

const NUMBERS = ['', '', 'Two', 'Three', 'Four', 'Five'];
const time = (iso: string) => formatTime(new Date(iso));
const placeOf = ({ terminal, customer }: { terminal: string; customer: string }) =>
  [terminal || 'Online', customer].filter(Boolean).join(', ');

/** Returns the payments to check before signing: those that look alike, and those with an unknown outcome. */
export const looksOf = ({ look_alikes: alikes, unknown }: Takings): Look[] => [
  ...alikes.map((alike) => ({
    key: `${alike.card} ${alike.at[0]}`,
    title: `${NUMBERS[alike.at.length] ?? alike.at.length} payments look alike: ${alike.card}, ${alike.at.map(time).join(' and ')}`,
    place: placeOf(alike),
    amount: `${alike.at.length} x ${formatAmount(alike.amount)}`,
    isAlike: true,
  })),
  ...unknown.map((payment) => ({
    key: `${payment.invoice_number} ${payment.at}`,
    title: `Not known yet, ${payment.invoice_number}: do not take it again`,
    place: placeOf(payment),
    amount: formatAmount(payment.amount),
    isAlike: false,
  })),
];

export function Looks({ looks }: { looks: Look[] }) {
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
          {looks.map(({ key, title, place, amount, isAlike }) => (
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
