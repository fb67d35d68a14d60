import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath, useSearch } from '#site/islands/ui/routing/router.tsx';
import { fetchCardReaders } from '../common/card-readers.ts';
import { NO_NEW_PAYMENTS, useLinkBlockReason, useOnlineOff } from '../common/online-off.ts';
import { describeWait, moneyOf } from './sale-words.ts';
import '#site/styles/areas/merchant/standing-bar.css';

/** The poll intervals (ms) while all card readers are free, and while one is busy. */
const FREE_POLL_MS = 20_000;
const BUSY_POLL_MS = 4_000;
/** Polling stops this long (ms) after the last user input, since it would otherwise keep an empty desk logged in. */
const MAX_IDLE_MS = 600_000;

/** The consequences for staff, which are shown after the reason. */
const CONSEQUENCES = {
  closing: NO_NEW_PAYMENTS,
  paused: 'No payment links are emailed. Card readers work.',
  'catching-up': 'Until that is done, no one can pay by link.',
} as const;

/**
 * A bar on every screen. It names the card readers that may still take a card, since a reader keeps waiting when staff
 * leave its sale, and the next customer's card could pay that sale. If there is no such reader, it shows if no one can
 * pay by link or the account closes.
 */
export function StandingBar() {
  const path = usePath();
  const shownSale = new URLSearchParams(useSearch()).get('sale');
  const [sales, setSales] = useState<TerminalSale[]>([]);
  const [onlineOff, block] = [useOnlineOff(), useLinkBlockReason()];
  const lastInputAt = useLastInputTime();
  const lastRequest = useRef(0);
  const load = async (): Promise<boolean> => {
    if (sales.length === 0 && Date.now() - lastInputAt.current > MAX_IDLE_MS) return true;
    const request = ++lastRequest.current;
    const answer = await fetchCardReaders();
    // Without a reply, the last state stays, since the reader may still take a card.
    if (answer.ok && request === lastRequest.current) {
      setSales(answer.value.desks.flatMap(({ sale, is_busy }) => (sale && is_busy ? [sale] : [])));
    }
    return answer.ok;
  };
  const onNavigate = useEffectEvent(load);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of screen or sale triggers a new request
  useEffect(() => void onNavigate(), [path, shownSale]);
  usePoll(load, sales.length > 0 ? BUSY_POLL_MS : FREE_POLL_MS);

  // The sale on the current screen is not repeated in the bar.
  const otherSales = sales.filter(({ id }) => id !== shownSale);
  const [first] = otherSales;
  return (
    <div className="standing-place" role="status">
      {first && (
        <div className="standing-bar">
          <Icon name="warn" size="sm" />
          {otherSales.length === 1 ? (
            <WaitingSale sale={first} />
          ) : (
            <Disclosure size="sm" label={`${otherSales.length} card readers are waiting for a card`}>
              {(close) => (
                <ul className="busy-list">
                  {otherSales.map((sale) => (
                    <li key={sale.id}>
                      <WaitingSale sale={sale} onShow={close} />
                    </li>
                  ))}
                </ul>
              )}
            </Disclosure>
          )}
        </div>
      )}
      {!first && onlineOff && (
        <div className="standing-bar">
          <Icon name="warn" size="sm" />
          <p>
            <strong>{block}</strong> <span>{CONSEQUENCES[onlineOff]}</span>
          </p>
        </div>
      )}
    </div>
  );
}

function WaitingSale({ sale, onShow }: { sale: TerminalSale; onShow?(): void }) {
  const { id, invoice_number, amount, currency, is_own, started_by } = sale;
  return (
    <>
      <span className="busy-reader">{describeWait(sale)}</span>{' '}
      <span className="busy-sale">
        <strong>{[invoice_number, moneyOf(amount, currency)].filter(Boolean).join(', ')}</strong>
        {!is_own && started_by && <span className="busy-by">, started by {started_by}</span>}
      </span>{' '}
      <AppLink href={`/payments?sale=${encodeURIComponent(id)}`} onClick={onShow}>
        Show<span className="sr-only"> this payment</span>
      </AppLink>
    </>
  );
}

/** Tracks the time of the last input by keyboard or pointer (UTC ms). */
function useLastInputTime() {
  const at = useRef(Date.now());
  useEffect(() => {
    const record = () => {
      at.current = Date.now();
    };
    const types = ['pointerdown', 'keydown'] as const;
    for (const type of types) window.addEventListener(type, record);
    return () => {
      for (const type of types) window.removeEventListener(type, record);
    };
  }, []);
  return at;
}
