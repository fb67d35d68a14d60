import type { ReactNode } from 'react';
import type { PayView } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payments/payment-answers';
import { parseCents } from '#shared/money';
import { resultFrom } from '#shared/text/result-text';
import { fill } from '#shared/words/bilingual';
import { dateIn, moneyIn } from '#shared/words/formats';
import { withLanguage } from '#shared/words/language';
import { Badge } from '../ui/Badge.tsx';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import { HeadingWithFocus } from './Confirming.tsx';
import { usePayWords } from './words.ts';

const CheckMark = () => (
  <svg className="outcome-check" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" />
    <path d="m12.5 20.5 5.2 5.5L28 14.5" pathLength="1" />
  </svg>
);

/** Returns the rows with the amount and the date of a payment. */
function usePaidRows(transaction: PaidTransaction | null, currency: string): [string, ReactNode][] {
  const { language, outcome: words } = usePayWords();
  if (!transaction) return [];
  const { amount, date } = transaction;
  const cents = parseCents(amount);
  return [
    [words.amount, <strong className="money">{cents === null ? amount : moneyIn(language, cents, currency)}</strong>],
    ...(date ? [[words.date, dateIn(language, date)] satisfies [string, string]] : []),
  ];
}

export function Success({
  transaction,
  view: { invoice, parts },
  remainingCents,
  receiptUrl,
}: {
  transaction: PaidTransaction;
  view: PayView;
  /** The remaining balance (cents) after a partial payment, otherwise null. */
  remainingCents: number | null;
  receiptUrl: string | null;
}) {
  const { language, outcome: words, part, results } = usePayWords();
  const paidRows = usePaidRows(transaction, invoice.currency);
  const money = (sum: number) => moneyIn(language, sum, invoice.currency);
  return (
    <div className="outcome">
      <div className="outcome-head">
        <CheckMark />
        <div>
          <HeadingWithFocus id="pay-done" takesFocus>
            {words.success}
          </HeadingWithFocus>
          <p>{words.thanks}</p>
          {remainingCents !== null && (
            <p>{fill(part.stillLeft, { left: money(remainingCents), base: money(parseCents(parts?.base) ?? 0) })}</p>
          )}
        </div>
      </div>
      <DetailRows
        rows={[
          ...paidRows,
          [words.card, transaction.card || words.none],
          [words.authCode, <span className="code">{transaction['authorization-code'] || words.none}</span>],
          [words.transactionId, <span className="code">{transaction.id}</span>],
          [words.result, resultFrom(results, transaction.result) || words.none],
        ]}
      />
      <Receipt url={receiptUrl}>{words.receiptGoes}</Receipt>
    </div>
  );
}

type PaidPanelProps = {
  /** Null if this browser may not see the payment. */
  transaction: PaidTransaction | null;
  currency: string;
  receiptUrl: string | null;
};

function PaidRows({ transaction, currency }: Omit<PaidPanelProps, 'receiptUrl'>) {
  const rows = usePaidRows(transaction, currency);
  return transaction && <DetailRows rows={rows} />;
}

/** Shows a bank debit that was accepted, but is not paid yet. */
export function SubmittedPanel({ transaction, currency, receiptUrl }: PaidPanelProps) {
  const { outcome: words } = usePayWords();
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" takesFocus>
        {words.submitted}
      </HeadingWithFocus>
      <p>
        <Badge tone="note" icon="clock">
          {words.waiting}
        </Badge>
      </p>
      <p>{words.bankTakes}</p>
      <PaidRows transaction={transaction} currency={currency} />
      <Receipt url={receiptUrl} />
    </div>
  );
}

/** Shows that the invoice is already paid, possibly from another browser. */
export function AlreadyPaidPanel({ transaction, currency, receiptUrl }: PaidPanelProps) {
  const { outcome: words } = usePayWords();
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" takesFocus>
        {words.paid}
      </HeadingWithFocus>
      <p>{words.alreadyPaid}</p>
      <PaidRows transaction={transaction} currency={currency} />
      <Receipt url={receiptUrl} />
    </div>
  );
}

function Receipt({ url, children }: { url: string | null; children?: string }) {
  const { language, outcome: words } = usePayWords();
  return (
    <>
      <div className="actions screen-only">
        {url && (
          <a className="button button-primary" href={withLanguage(url, language)}>
            {words.viewReceipt}
          </a>
        )}
        <Button onClick={() => window.print()}>{words.print}</Button>
      </div>
      {children && <p className="outcome-note">{children}</p>}
    </>
  );
}
