import { useCallback, useEffect, useRef, useState } from 'react';
import type { CounterTerminal } from '#shared/contracts/payments/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { fetchCardReaders } from '../common/card-readers.ts';
import { RightHolders } from '../common/RequireRight.tsx';
import { LostSale, useLostSubmission } from './LostSale.tsx';
import { PaymentForm, type PaymentProps } from './PaymentForm.tsx';
import { SaleTracker } from './SaleLife.tsx';
import { describeBusy, moneyOf, outcomeOf } from './sale-words.ts';
import '#site/styles/areas/merchant/money/take-payment.css';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import '#site/styles/areas/merchant/account/account.css';

/** Lists the card readers with their newest sales, for staff who may not take payments. */
export const CardReaderList = ({ counters, onShow }: Pick<PaymentProps, 'counters' | 'onShow'>) => (
  <section className="card account-part" aria-labelledby="devices">
    <h2 id="devices">Card readers</h2>
    <RightHolders right="collect" action="take payments" />
    {!counters && (
      <p role="status" className="app-quiet">
        Loading...
      </p>
    )}
    {counters?.length === 0 && <p>No devices found</p>}
    <ul className="account-rows">
      {counters?.map(({ terminal_id, terminal_name, sale, is_busy }) => (
        <li key={terminal_id}>
          <span className="account-main">
            <strong>{terminal_name}</strong>
            <span className="account-sub">
              {!sale ? 'No sale yet.' : is_busy ? describeBusy(sale) : describeLastSale(sale)}
            </span>
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

/** Returns for example "Last sale INV-1042, $184.00, 10:42 AM: Paid." */
function describeLastSale(sale: Sale): string {
  const { invoice_number, amount, currency, started_at } = sale;
  const facts = [invoice_number, moneyOf(amount, currency), formatWhen(started_at)].filter(Boolean).join(', ');
  return `Last sale ${facts}: ${outcomeOf(sale)}.`;
}

const POLL_MS = 5_000;

type Load = { kind: 'loading' } | { kind: 'failed'; message: string } | { kind: 'loaded'; counters: CounterTerminal[] };

/** The screen Take Payment. The URL contains the current sale, so that a reload or another tab shows it again. */
export function TakePayment() {
  const saleId = new URLSearchParams(useSearch()).get('sale');
  const lostSubmission = useLostSubmission();
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const reload = useCallback(async (): Promise<CounterTerminal[] | null> => {
    const answer = await fetchCardReaders();
    if (!answer.ok) {
      setLoad((previous) =>
        previous.kind === 'loaded' ? previous : { kind: 'failed', message: answer.error.message },
      );
      return null;
    }
    setLoad({ kind: 'loaded', counters: answer.value.desks });
    return answer.value.desks;
  }, []);
  useEffect(() => {
    void reload().then((counters) => {
      // Staff who return see their own running sale. A sale that they have left is not shown again, and no sale
      // replaces the form for a customer in the URL. The bar on every screen names such sales.
      const ownSale = counters?.find(({ sale, is_busy }) => is_busy && sale?.is_own)?.sale;
      if (ownSale && !leftSales.has(ownSale.id) && window.location.search === '') showSale(ownSale.id, true);
    });
  }, [reload]);
  usePoll(async () => (await reload()) !== null, saleId ? null : POLL_MS);
  const title = useRef<HTMLHeadingElement>(null);
  const previousSaleId = useRef(saleId);
  useEffect(() => {
    if (previousSaleId.current && !saleId) {
      title.current?.focus();
      void reload();
    }
    previousSaleId.current = saleId;
  }, [saleId, reload]);

  // A different account may have logged in on this tab since the submission.
  const isOwnTerminal =
    load.kind === 'loaded'
      ? load.counters.some(({ terminal_id }) => terminal_id === lostSubmission?.terminalId)
      : undefined;

  return (
    <div className="app-wide take">
      <h1 tabIndex={-1} ref={title}>
        Take Payment
      </h1>
      {saleId ? (
        <SaleTracker key={saleId} saleId={saleId} onShow={showSale} onLeave={() => leaveSale(saleId)} />
      ) : hasRight('collect') && lostSubmission && isOwnTerminal !== false ? (
        <LostSale
          key={lostSubmission.key}
          submission={lostSubmission}
          isOwnTerminal={isOwnTerminal === true}
          onShow={showSale}
        />
      ) : load.kind === 'failed' ? (
        <Banner
          tone="warn"
          lead="The card readers could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={() => void reload()}>
              Retry
            </button>
          }
        >
          {load.message}
        </Banner>
      ) : (
        <CounterView counters={load.kind === 'loaded' ? load.counters : null} onShow={showSale} onReload={reload} />
      )}
    </div>
  );
}

const CounterView = (props: PaymentProps) =>
  hasRight('collect') ? <PaymentForm {...props} /> : <CardReaderList {...props} />;

/** The ids of the sales that staff left on this tab. Their card readers may still be waiting. */
const leftSales = new Set<string>();

function leaveSale(id: string): void {
  leftSales.add(id);
  setSearch('');
}

function showSale(id: string, replace = false): void {
  setSearch(`sale=${encodeURIComponent(id)}`, { replace });
}
