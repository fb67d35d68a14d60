import { useEffect, useRef, useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { MOST_LINKS } from '#shared/contracts/payments/pay-links';
import { formatMoney, ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { onlineOff } from '../parts/online-off.ts';
import { countReasons, leftOutWords, links } from './left-out.ts';

/** `isBad`: mail to its address is known to fail. `whyNot`: no link can be mailed, in words after a number. */
type Picked = { cents: number; isBad: boolean; whyNot: string };

export type Picks = {
  /** By the CRM's id. */
  all: ReadonlyMap<string, Picked>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  /** Picks also those that get no mail, so that the result accounts for each of them. */
  pickAll(rows: OpenInvoiceItem[]): void;
  clear(): void;
};

/** Known reasons why no link of this invoice can be mailed; empty if it can. Others are found when it is sent. */
function whyNot({ status, currency, email, amount_due, is_undecided }: OpenInvoiceItem): string {
  if (status !== 'open') return leftOutWords('paid', currency);
  if (is_undecided) return leftOutWords('paying', currency);
  if (onlineOff()) return leftOutWords(onlineOff() === 'closing' ? 'closing' : 'not-now', currency);
  if (currency !== ONLINE_CURRENCY) return leftOutWords('not-payable-online', currency);
  if (email === '') return leftOutWords('no-address', currency);
  return amount_due === null ? leftOutWords('amount-unreadable', currency) : '';
}

export const canPick = (row: OpenInvoiceItem): boolean => whyNot(row) === '';

/** The selected invoices. The selection survives paging, but not a change of tab. */
export function usePicks(tab: string): Picks {
  const [picked, setPicked] = useState({ tab, all: new Map<string, Picked>() });
  const keep = (all: Map<string, Picked>) => ({ tab, all });
  const change = (write: (next: Map<string, Picked>) => void) =>
    setPicked((before) => {
      const next = new Map(before.tab === tab ? before.all : NONE);
      write(next);
      return keep(next);
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
    clear: () => setPicked(keep(new Map())),
  };
}

const pickOf = (row: OpenInvoiceItem): Picked => ({
  cents: row.currency === ONLINE_CURRENCY ? (parseCents(row.amount_due) ?? 0) : 0,
  isBad: row.bad_address !== null,
  whyNot: whyNot(row),
});

const NONE: ReadonlyMap<string, Picked> = new Map();

/** Above this many links, sending asks for confirmation. */
const ASKED_ABOVE = 25;

type Props = {
  rows: OpenInvoiceItem[];
  /** Rows on all pages. */
  total: number;
  /** The list has no paid rows, so that all of them can be selected. */
  isUnpaidOnly: boolean;
  picks: Picks;
  /** Picks the rows of all pages. */
  onAll(): Promise<void>;
  onSend(): Promise<void>;
};

/** The selectable ones of these rows, and how many of them are selected. */
function pickedOf(rows: OpenInvoiceItem[], picks: Picks) {
  const able = rows.filter(canPick);
  const here = able.filter(({ crm_id }) => picks.all.has(crm_id)).length;
  return { able, here, isWhole: able.length > 0 && here === able.length };
}

/** Selects all rows of the page; `isHead`: shown in the table's head, above the checkboxes. */
export function PickPage({ rows, picks, isHead }: Pick<Props, 'rows' | 'picks'> & { isHead?: true }) {
  const box = useRef<HTMLInputElement>(null);
  const { able, here, isWhole } = pickedOf(rows, picks);
  useEffect(() => {
    if (box.current) box.current.indeterminate = here > 0 && !isWhole;
  }, [here, isWhole]);
  return (
    <label className="pick-page">
      <input
        ref={box}
        type="checkbox"
        checked={isWhole}
        disabled={able.length === 0}
        onChange={({ target }) => picks.set(able, target.checked)}
      />
      <span className={isHead ? 'sr-only' : undefined}>Select this page</span>
    </label>
  );
}

/** The selection, and the button that mails its links. */
export function PickBar({ rows, total, isUnpaidOnly, picks, onAll, onSend }: Props) {
  const [isAsking, setAsking] = useState(false);
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
  const during = (act: () => Promise<void>) => async () => {
    setBusy(true);
    await act();
    setBusy(false);
    setAsking(false);
  };
  const send = during(onSend);
  return (
    <section className={count > 0 ? 'pick-bar' : 'sr-only'} aria-label="Selection">
      <p role="status" className="pick-said">
        {isAsking ? (
          <b>{`Email ${mailed}? ${sumOf(all.filter(({ whyNot }) => whyNot === ''))} in all.`}</b>
        ) : (
          count > 0 && (
            <>
              <b>{count} selected</b> <span className="money">{sumOf(all)}</span>
              {/* The mailing omits them, and its result says so. */}
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
      {count > 0 && !isAsking && (
        <span className="pick-more">
          {isWhole && total > rows.length && count < Math.min(total, MOST_LINKS) && (
            <button type="button" className="text-button" onClick={() => void during(onAll)()}>
              Select all {isUnpaidOnly ? Math.min(total, MOST_LINKS) : 'unpaid'}
            </button>
          )}
          <button type="button" className="text-button" onClick={picks.clear}>
            Clear
          </button>
        </span>
      )}
      {count > 0 && (
        <span className="pick-act">
          {isAsking && (
            <Button kind="ghost" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          )}
          <Button
            kind="primary"
            busy={isBusy}
            disabled={count > MOST_LINKS || unable.length === count}
            onClick={() => (count > ASKED_ABOVE && !isAsking ? setAsking(true) : void send())}
          >
            Email {mailed}
          </Button>
        </span>
      )}
    </section>
  );
}
