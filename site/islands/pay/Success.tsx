import type { PaidTransaction } from '../../../shared/contracts/payment-status.ts';
import { formatMoney, parseCents } from '../../../shared/money.ts';
import { operator } from '../../../shared/operator.ts';
import { Badge } from '../ui/Badge.tsx';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import { HeadingWithFocus } from './HeadingWithFocus.tsx';
import { ALREADY_PAID } from './phase.ts';

const Check = () => (
  <svg className="outcome-check" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" />
    <path d="m12.5 20.5 5.2 5.5L28 14.5" pathLength="1" />
  </svg>
);

export function Success({
  transaction,
  currency,
  receiptUrl,
}: {
  transaction: PaidTransaction;
  currency: string;
  receiptUrl: string | null;
}) {
  const cents = parseCents(transaction.amount);
  return (
    <div className="outcome">
      <div className="outcome-head">
        <Check />
        <div>
          <HeadingWithFocus id="pay-done" take>
            Payment Successful!
          </HeadingWithFocus>
          <p>Thank you for your payment.</p>
        </div>
      </div>
      <DetailRows
        rows={[
          [
            'Amount',
            <strong className="money">{cents === null ? transaction.amount : formatMoney(cents, currency)}</strong>,
          ],
          ['Card', transaction.card || 'N/A'],
          ['Authorization code', <span className="code">{transaction['authorization-code'] || 'N/A'}</span>],
          ['Transaction id', <span className="code">{transaction.id}</span>],
          ['Result', transaction.result || 'N/A'],
        ]}
      />
      <Receipt url={receiptUrl}>A receipt goes to the email address the business has.</Receipt>
    </div>
  );
}

/** An accepted bank debit: sent, but not paid yet. */
export function Submitted({ receiptUrl }: { receiptUrl: string | null }) {
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" take>
        Payment submitted
      </HeadingWithFocus>
      <p>
        <Badge tone="note" icon="clock">
          Waiting for the bank
        </Badge>
      </p>
      <p>{`Your bank takes ${operator.bankPaymentDays} days; we email the receipt when it has arrived.`}</p>
      <Receipt url={receiptUrl} />
    </div>
  );
}

export function AlreadyPaid({ receiptUrl }: { receiptUrl: string | null }) {
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" take>
        Paid
      </HeadingWithFocus>
      <p>{ALREADY_PAID}</p>
      <Receipt url={receiptUrl} />
    </div>
  );
}

function Receipt({ url, children }: { url: string | null; children?: string }) {
  return (
    <>
      <div className="actions screen-only">
        {url && (
          <a className="button button-primary" href={url}>
            View receipt
          </a>
        )}
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      {children && <p className="outcome-note">{children}</p>}
    </>
  );
}
