import { useEffect, useRef, useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { MAX_LINKS } from '#shared/contracts/payments/pay-links';
import { formatMoney, ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { onlineOff } from '../parts/online-off.ts';
import { countReasons, describeLeftOut, links } from './left-out.ts';

/** `isBad`: email to its address is known to fail. `whyNot`: why no link can be sent, phrased to follow a number. */
type Picked = { cents: number; isBad: boolean; whyNot: string };

export type Picks = {
  /** By the CRM's id. */
  all: ReadonlyMap<string, Picked>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  /** Also selects invoices that get no email, so that the result accounts for each of them. */
  pickAll(rows: OpenInvoiceItem[]): void;
  clear(): void;
};

/** Returns why no link for this invoice can be emailed, as known before sending; empty if one can. */
function whyNot({ status, currency, email, amount_due, is_undecided }: OpenInvoiceItem): string {
  if (status !== 'open') return describeLeftOut('paid', currency);
  if (is_undecided) return describeLeftOut('paying', currency);
  if (onlineOff()) return describeLeftOut(onlineOff() === 'closing' ? 'closing' : 'not-now', currency);
  if (currency !== ONLINE_CURRENCY) return describeLeftOut('not-payable-online', currency);
  if (email === '') return describeLeftOut('no-address', currency);
  return amount_due === null ? describeLeftOut('amount-unreadable', currency) : '';
}

export const canPick = (row: OpenInvoiceItem): boolean => whyNot(row) === '';

/** The selected invoices. The selection survives paging, but not a change of tab. */
export function usePicks(tab: string): Picks {
  const [picked, setPicked] = useState({ tab, all: new Map<string, Picked>() });
  const inTab = (all: Map<string, Picked>) => ({ tab, all });
  const change = (write: (next: Map<string, Picked>) => void) =>
    setPicked((previous) => {
      const next = new Map(previous.tab === tab ? previous.all : NONE);
      write(next);
      return inTab(next);
    });
  return {
    all: picked.tab === tab ? picked.all : NONE,
    set: (rows, isPicked) =>
      change((next) => {
        for (const row of rows.filter(canPick)) isPicked ? next.set(row.crm_id, pickOf(row)) : next.delete(row.crm_id);
      }),
    pickAll: (rows) =>
      change((next) => {
        for (const row of rows) next.set(row.crm_id, pickOf(row));
      }),
    clear: () => setPicked(inTab(new Map())),
  };
}

const pickOf = (row: OpenInvoiceItem): Picked => ({
  cents: row.currency === ONLINE_CURRENCY ? (parseCents(row.amount_due) ?? 0) : 0,
  isBad: row.bad_address !== null,
  whyNot: whyNot(row),
});

const NONE: ReadonlyMap<string, Picked> = new Map();

/** Above this many links, sending asks for confirmation. */
const CONFIRM_ABOVE = 25;

type Props = {
  rows: OpenInvoiceItem[];
  /** Rows on all pages. */
  total: number;
  /** The list has no paid rows, so all of its rows can be selected. */
  isUnpaidOnly: boolean;
  picks: Picks;
  /** Selects the rows of all pages. */
  onAll(): Promise<void>;
  onSend(): Promise<void>;
};

/** Returns the selectable ones of these rows, and how many of them are selected. */
function pickedOf(rows: OpenInvoiceItem[], picks: Picks) {
  const selectable = rows.filter(canPick);
  const selected = selectable.filter(({ crm_id }) => picks.all.has(crm_id)).length;
  return { selectable, selected, isWhole: selectable.length > 0 && selected === selectable.length };
}

/** Selects all rows of the page; `isHead`: shown in the table header, above the checkboxes. */
export function PickPage({ rows, picks, isHead }: Pick<Props, 'rows' | 'picks'> & { isHead?: true }) {
  const box = useRef<HTMLInputElement>(null);
  const { selectable, selected, isWhole } = pickedOf(rows, picks);
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected > 0 && !isWhole;
  }, [selected, isWhole]);
  return (
    <label className="pick-page">
      <input
        ref={box}
        type="checkbox"
        checked={isWhole}
        disabled={selectable.length === 0}
        onChange={({ target }) => picks.set(selectable, target.checked)}
      />
      <span className={isHead ? 'sr-only' : undefined}>Select this page</span>
    </label>
  );
}

/** The selection, and the button that emails its links. */
export function PickBar({ rows, total, isUnpaidOnly, picks, onAll, onSend }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { isWhole } = pickedOf(rows, picks);
  const all = [...picks.all.values()];
  const count = all.length;
  const bad = all.filter(({ isBad, whyNot }) => isBad && whyNot === '').length;
  const unable = all.flatMap(({ whyNot }) => whyNot || []);
  const mailed = links(count - unable.length);
  const sumOf = (picked: typeof all) =>
    formatMoney(
      picked.reduce((cents, pick) => cents + pick.cents, 0),
      ONLINE_CURRENCY,
    );
  const whileBusy = (act: () => Promise<void>) => async () => {
    setBusy(true);
    await act();
    setBusy(false);
    setConfirming(false);
  };
  const send = whileBusy(onSend);
  return (
    <section className={count > 0 ? 'pick-bar' : 'sr-only'} aria-label="Selection">
      <p role="status" className="pick-said">
        {isConfirming ? (
          <b>{`Email ${mailed}? ${sumOf(all.filter(({ whyNot }) => whyNot === ''))} in all.`}</b>
        ) : (
          count > 0 && (
            <>
              <b>{count} selected</b> <span className="money">{sumOf(all)}</span>
              {/* The mailing omits them, and its result names them. */}
              {unable.length > 0 && (
                <span className="pick-bad">
                  {' '}
                  {unable.length} of them cannot be emailed: {countReasons(unable)}
                </span>
              )}
              {bad > 0 && <span className="pick-bad"> No email arrives at {bad} of these addresses</span>}
            </>
          )
        )}
      </p>
      {count > 0 && !isConfirming && (
        <span className="pick-more">
          {isWhole && total > rows.length && count < Math.min(total, MAX_LINKS) && (
            <button type="button" className="text-button" onClick={() => void whileBusy(onAll)()}>
              Select all {isUnpaidOnly ? Math.min(total, MAX_LINKS) : 'unpaid'}
            </button>
          )}
          <button type="button" className="text-button" onClick={picks.clear}>
            Clear
          </button>
        </span>
      )}
      {count > 0 && (
        <span className="pick-act">
          {isConfirming && (
            <Button kind="ghost" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          )}
          <Button
            kind="primary"
            busy={isBusy}
            disabled={count > MAX_LINKS || unable.length === count}
            onClick={() => (count > CONFIRM_ABOVE && !isConfirming ? setConfirming(true) : void send())}
          >
            Email {mailed}
          </Button>
        </span>
      )}
    </section>
  );
}
