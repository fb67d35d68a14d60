import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath, useSearch } from '#site/islands/ui/routing/router.tsx';
import { NO_NEW_PAYMENTS, useLinkBlock, useOnlineOff } from '../parts/online-off.ts';
import { askTerminals } from './api.ts';
import { describeWait, moneyOf } from './sale-words.ts';
import '#site/styles/areas/merchant/standing-bar.css';

/** Poll intervals (ms): while all card readers are free, and while one is busy. */
const FREE_MS = 20_000;
const BUSY_MS = 4_000;
/** After this long (ms) without a key or pointer, polling stops, or it would renew the session of an empty desk. */
const UNUSED_MS = 600_000;

/** After the reason: what it means for the people at work. */
const MEANS = {
  closing: NO_NEW_PAYMENTS,
  paused: 'No payment links are emailed. Card readers work.',
  'catching-up': 'Until that is done, no one can pay by link.',
} as const;

/**
 * A bar on every screen about what hits people at work until it ends. First, card readers that may still take a card:
 * leaving a sale does not stop its reader, so the next customer's card could pay it. Else, that nobody can pay by link,
 * or that the account closes.
 */
export function StandingBar() {
  const path = usePath();
  const shownSale = new URLSearchParams(useSearch()).get('sale');
  const [sales, setSales] = useState<TerminalSale[]>([]);
  const [onlineOff, block] = [useOnlineOff(), useLinkBlock()];
  const usedAt = useLastUse();
  const asked = useRef(0);
  const read = async (): Promise<boolean> => {
    if (sales.length === 0 && Date.now() - usedAt.current > UNUSED_MS) return true;
    const request = ++asked.current;
    const answer = await askTerminals();
    // Without an answer the last one stays: the reader may still take a card.
    if (answer.ok && request === asked.current) {
      setSales(answer.value.desks.flatMap(({ sale, is_busy }) => (sale && is_busy ? [sale] : [])));
    }
    return answer.ok;
  };
  const onMove = useEffectEvent(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen, or a sale that was left, needs fresh facts
  useEffect(() => void onMove(), [path, shownSale]);
  usePoll(read, sales.length > 0 ? BUSY_MS : FREE_MS);

  // The screen of a sale tells more about it.
  const others = sales.filter(({ id }) => id !== shownSale);
  const [first] = others;
  return (
    <div className="standing-place" role="status">
      {first && (
        <div className="standing-bar">
          <Icon name="warn" size="sm" />
          {others.length === 1 ? (
            <Wait sale={first} />
          ) : (
            <Disclosure size="sm" label={`${others.length} card readers are waiting for a card`}>
              {(close) => (
                <ul className="busy-list">
                  {others.map((sale) => (
                    <li key={sale.id}>
                      <Wait sale={sale} onShow={close} />
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
            <strong>{block}</strong> <span>{MEANS[onlineOff]}</span>
          </p>
        </div>
      )}
    </div>
  );
}

function Wait({ sale, onShow }: { sale: TerminalSale; onShow?(): void }) {
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

/** The time of the last key or pointer press (UTC ms). */
function useLastUse() {
  const at = useRef(Date.now());
  useEffect(() => {
    const note = () => {
      at.current = Date.now();
    };
    const kinds = ['pointerdown', 'keydown'] as const;
    for (const kind of kinds) window.addEventListener(kind, note);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, note);
    };
  }, []);
  return at;
}
