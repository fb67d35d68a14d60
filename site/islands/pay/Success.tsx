import type { ReactNode } from 'react';
import type { PayView } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payments/payment-answers';
import { parseCents } from '#shared/money';
import { resultFrom } from '#shared/text/result-text';
import { fill } from '#shared/words/both';
import { dateIn, moneyIn } from '#shared/words/formats';
import { inLanguage } from '#shared/words/language';
import { Badge } from '../ui/Badge.tsx';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import { HeadingWithFocus } from './Confirming.tsx';
import { usePayWords } from './words.ts';

const Check = () => (
  <svg className="outcome-check" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" />
    <path d="m12.5 20.5 5.2 5.5L28 14.5" pathLength="1" />
  </svg>
);

/** Amount and day of a payment. */
function usePaid(transaction: PaidTransaction | null, currency: string): [string, ReactNode][] {
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
  left,
  receiptUrl,
}: {
  transaction: PaidTransaction;
  view: PayView;
  /** For a partial payment: the remaining balance (cents). */
  left: number | null;
  receiptUrl: string | null;
}) {
  const { language, outcome: words, part, results } = usePayWords();
  const paid = usePaid(transaction, invoice.currency);
  const money = (sum: number) => moneyIn(language, sum, invoice.currency);
  return (
    <div className="outcome">
      <div className="outcome-head">
        <Check />
        <div>
          <HeadingWithFocus id="pay-done" take>
            {words.success}
          </HeadingWithFocus>
          <p>{words.thanks}</p>
          {left !== null && (
            <p>{fill(part.stillLeft, { left: money(left), base: money(parseCents(parts?.base) ?? 0) })}</p>
          )}
        </div>
      </div>
      <DetailRows
        rows={[
          ...paid,
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

/** An accepted bank debit: sent, but not paid yet. */
export function Submitted({ receiptUrl }: { receiptUrl: string | null }) {
  const { outcome: words } = usePayWords();
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" take>
        {words.submitted}
      </HeadingWithFocus>
      <p>
        <Badge tone="note" icon="clock">
          {words.waiting}
        </Badge>
      </p>
      <p>{words.bankTakes}</p>
      <Receipt url={receiptUrl} />
    </div>
  );
}

/** Shown for an invoice that is already paid; the payment may come from another browser. */
export function AlreadyPaid({
  transaction,
  currency,
  receiptUrl,
}: {
  transaction: PaidTransaction | null;
  currency: string;
  receiptUrl: string | null;
}) {
  const { outcome: words } = usePayWords();
  const paid = usePaid(transaction, currency);
  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-done" take>
        {words.paid}
      </HeadingWithFocus>
      <p>{words.alreadyPaid}</p>
      {transaction && <DetailRows rows={paid} />}
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
          <a className="button button-primary" href={inLanguage(url, language)}>
            {words.viewReceipt}
          </a>
        )}
        <Button onClick={() => window.print()}>{words.print}</Button>
      </div>
      {children && <p className="outcome-note">{children}</p>}
    </>
  );
}
