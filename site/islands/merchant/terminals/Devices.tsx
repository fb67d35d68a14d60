import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { WhoMay } from '../parts/ForRight.tsx';
import type { PaymentProps } from './PaymentForm.tsx';
import { busyWords, endOf, isAtTheDevice, moneyOf } from './sale-words.ts';
import '#site/styles/areas/merchant/account.css';

/** What who takes no payments may see of them: each card reader with its newest sale. */
export const Devices = ({ counters, onShow }: Pick<PaymentProps, 'counters' | 'onShow'>) => (
  <section className="card account-part" aria-labelledby="devices">
    <h2 id="devices">Devices</h2>
    <WhoMay right="collect" act="take payments" />
    {!counters && (
      <p role="status" className="app-quiet">
        Loading...
      </p>
    )}
    {counters?.length === 0 && <p>No devices found</p>}
    <ul className="account-rows">
      {counters?.map(({ terminal_id, terminal_name, sale }) => (
        <li key={terminal_id}>
          <span className="account-main">
            <strong>{terminal_name}</strong>
            <span className="account-sub">{sale ? saidOf(sale) : 'No sale yet.'}</span>
          </span>
          {sale && (
            <Button size="sm" onClick={() => onShow(sale.id)}>
              Show<span className="sr-only"> the sale on {terminal_name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  </section>
);

type Sale = NonNullable<NonNullable<PaymentProps['counters']>[number]['sale']>;

/** "Last sale INV-1042, $184.00, 10:42 AM: Paid." */
function saidOf(sale: Sale): string {
  if (isAtTheDevice(sale)) return busyWords(sale);
  const { invoice_number, amount, currency, started_at } = sale;
  const facts = [invoice_number, moneyOf(amount, currency), formatWhen(started_at)].filter(Boolean).join(', ');
  return `Last sale ${facts}: ${endOf(sale)}.`;
}
