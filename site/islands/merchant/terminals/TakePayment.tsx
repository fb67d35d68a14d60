import { useCallback, useEffect, useRef, useState } from 'react';
import type { CounterTerminal } from '#shared/contracts/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { askTerminals } from './api.ts';
import { Devices } from './Devices.tsx';
import { LostSale } from './LostSale.tsx';
import { useLostPress } from './lost-press.ts';
import { PaymentForm, type PaymentProps } from './PaymentForm.tsx';
import { SaleLife } from './SaleLife.tsx';
import { isAtTheDevice } from './sale-words.ts';
import '#site/styles/areas/merchant/take-payment.css';

const DESK_EVERY_MS = 5_000;

type Load = { kind: 'loading' } | { kind: 'failed'; message: string } | { kind: 'loaded'; counters: CounterTerminal[] };

/** The address names the current sale, so a reload or another tab shows it again. */
export function TakePayment() {
  const saleId = new URLSearchParams(useSearch()).get('sale');
  const lost = useLostPress();
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const read = useCallback(async (): Promise<CounterTerminal[] | null> => {
    const answer = await askTerminals();
    if (!answer.ok) {
      setLoad((before) => (before.kind === 'loaded' ? before : { kind: 'failed', message: answer.error.message }));
      return null;
    }
    setLoad({ kind: 'loaded', counters: answer.value.desks });
    return answer.value.desks;
  }, []);
  useEffect(() => {
    void read().then((counters) => {
      // Staff who come back see their own running sale, unless the address names one.
      const own = counters?.map(({ sale }) => sale).find((sale) => sale?.is_own && isAtTheDevice(sale));
      if (own && !new URLSearchParams(window.location.search).has('sale')) showSale(own.id, true);
    });
  }, [read]);
  usePoll(async () => (await read()) !== null, saleId ? null : DESK_EVERY_MS);
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(saleId);
  useEffect(() => {
    if (shown.current && !saleId) title.current?.focus();
    shown.current = saleId;
  }, [saleId]);

  // Another account may have logged in in this tab since.
  const isHere =
    load.kind === 'loaded' ? load.counters.some(({ terminal_id }) => terminal_id === lost?.terminalId) : undefined;

  return (
    <div className="app-wide take">
      <h1 tabIndex={-1} ref={title}>
        Take Payment
      </h1>
      {saleId ? (
        <SaleLife key={saleId} saleId={saleId} onShow={showSale} onLeave={() => leaveSale(read)} />
      ) : may('collect') && lost && isHere !== false ? (
        <LostSale key={lost.key} press={lost} isHere={isHere === true} onShow={showSale} />
      ) : load.kind === 'failed' ? (
        <Banner
          tone="warn"
          lead="The devices could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={() => void read()}>
              Retry
            </button>
          }
        >
          {load.message}
        </Banner>
      ) : (
        <ForCounters counters={load.kind === 'loaded' ? load.counters : null} onShow={showSale} onLook={read} />
      )}
    </div>
  );
}

const ForCounters = (props: PaymentProps) => (may('collect') ? <PaymentForm {...props} /> : <Devices {...props} />);

function showSale(id: string, replace = false): void {
  setSearch(`sale=${encodeURIComponent(id)}`, { replace });
}

function leaveSale(read: () => Promise<unknown>): void {
  setSearch('');
  void read();
}
