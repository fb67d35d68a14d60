import { useEffect, useRef, useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { MAX_LINKS } from '#shared/contracts/payments/pay-links';
import { formatMoney, ONLINE_CURRENCY, parseCents } from '#shared/money';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { onlineOffReason } from '../common/online-off.ts';
import { countLinks, countReasons, describeSkip } from './skip-reasons.ts';

/** `isUndeliverable`: email to the address is known to fail. `skipReason` says why no link can be sent, or is ''. */
type PickedInvoice = { cents: number; isUndeliverable: boolean; skipReason: string };

export type InvoiceSelection = {
  /** The selected invoices by their id in the CRM. */
  all: ReadonlyMap<string, PickedInvoice>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  /** Selects invoices even if they get no email, so that the result accounts for each of them. */
  pickAll(rows: OpenInvoiceItem[]): void;
  clear(): void;
};

/** Returns why no link for this invoice can be emailed, as far as that is known before sending, or ''. */
function expectedSkipReason({ status, currency, email, amount_due, is_undecided }: OpenInvoiceItem): string {
  if (status !== 'open') return describeSkip('paid', currency);
  if (is_undecided) return describeSkip('paying', currency);
  if (onlineOffReason()) return describeSkip(onlineOffReason() === 'closing' ? 'closing' : 'not-now', currency);
  if (currency !== ONLINE_CURRENCY) return describeSkip('not-payable-online', currency);
  if (email === '') return describeSkip('no-address', currency);
  return amount_due === null ? describeSkip('amount-unreadable', currency) : '';
}

export const canSelect = (row: OpenInvoiceItem): boolean => expectedSkipReason(row) === '';

/** Manages the selected invoices. The selection is kept on other pages of a tab, but not in another tab. */
export function useSelection(tab: string): InvoiceSelection {
  const [selection, setSelection] = useState({ tab, all: new Map<string, PickedInvoice>() });
  const selectionInTab = (all: Map<string, PickedInvoice>) => ({ tab, all });
  const updateSelection = (edit: (next: Map<string, PickedInvoice>) => void) =>
    setSelection((previous) => {
      const next = new Map(previous.tab === tab ? previous.all : EMPTY_SELECTION);
      edit(next);
      return selectionInTab(next);
    });
  return {
    all: selection.tab === tab ? selection.all : EMPTY_SELECTION,
    set: (rows, isPicked) =>
      updateSelection((next) => {
        for (const row of rows.filter(canSelect))
          isPicked ? next.set(row.crm_id, pickedInvoiceOf(row)) : next.delete(row.crm_id);
      }),
    pickAll: (rows) =>
      updateSelection((next) => {
        for (const row of rows) next.set(row.crm_id, pickedInvoiceOf(row));
      }),
    clear: () => setSelection(selectionInTab(new Map())),
  };
}

const pickedInvoiceOf = (row: OpenInvoiceItem): PickedInvoice => ({
  cents: row.currency === ONLINE_CURRENCY ? (parseCents(row.amount_due) ?? 0) : 0,
  isUndeliverable: row.bad_address !== null,
  skipReason: expectedSkipReason(row),
});

const EMPTY_SELECTION: ReadonlyMap<string, PickedInvoice> = new Map();

/** Sending more links than this requires a confirmation. */
const CONFIRM_ABOVE = 25;

type Props = {
  rows: OpenInvoiceItem[];
  /** The number of rows on all pages. */
  total: number;
  /** True if the list has no paid invoices, so all of its rows can be selected. */
  isUnpaidOnly: boolean;
  picks: InvoiceSelection;
  /** Selects the rows of all pages. */
  onSelectAll(): Promise<void>;
  onSend(): Promise<void>;
};

/** Returns the rows that can be selected, and the number of those that are. */
function summarizeSelection(rows: OpenInvoiceItem[], picks: InvoiceSelection) {
  const selectable = rows.filter(canSelect);
  const selected = selectable.filter(({ crm_id }) => picks.all.has(crm_id)).length;
  return { selectable, selected, isWhole: selectable.length > 0 && selected === selectable.length };
}

/** A checkbox that selects all rows of the page. `isHead` is set in the table header, above the other checkboxes. */
export function SelectPageCheckbox({ rows, picks, isHead }: Pick<Props, 'rows' | 'picks'> & { isHead?: true }) {
  const box = useRef<HTMLInputElement>(null);
  const { selectable, selected, isWhole } = summarizeSelection(rows, picks);
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

/** Shows the selection, with a button that emails its links. */
export function PickBar({ rows, total, isUnpaidOnly, picks, onSelectAll, onSend }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { isWhole } = summarizeSelection(rows, picks);
  const selectedInvoices = [...picks.all.values()];
  const count = selectedInvoices.length;
  const badCount = selectedInvoices.filter(
    ({ isUndeliverable: isBad, skipReason }) => isBad && skipReason === '',
  ).length;
  const skipReasons = selectedInvoices.flatMap(({ skipReason }) => skipReason || []);
  const linkCount = countLinks(count - skipReasons.length);
  const sumOf = (picked: typeof selectedInvoices) =>
    formatMoney(
      picked.reduce((cents, pick) => cents + pick.cents, 0),
      ONLINE_CURRENCY,
    );
  const withBusyState = (run: () => Promise<void>) => async () => {
    setBusy(true);
    await run();
    setBusy(false);
    setConfirming(false);
  };
  const send = withBusyState(onSend);
  return (
    <section className={count > 0 ? 'pick-bar' : 'sr-only'} aria-label="Selection">
      <p role="status" className="pick-said">
        {isConfirming ? (
          <b>{`Email ${linkCount}? ${sumOf(selectedInvoices.filter(({ skipReason }) => skipReason === ''))} in all.`}</b>
        ) : (
          count > 0 && (
            <>
              <b>{count} selected</b> <span className="money">{sumOf(selectedInvoices)}</span>
              {/* The result of the mailing lists these invoices. */}
              {skipReasons.length > 0 && (
                <span className="pick-bad">
                  {' '}
                  {skipReasons.length} of them cannot be emailed: {countReasons(skipReasons)}
                </span>
              )}
              {badCount > 0 && <span className="pick-bad"> Email does not reach {badCount} of these addresses</span>}
            </>
          )
        )}
      </p>
      {count > 0 && !isConfirming && (
        <span className="pick-more">
          {isWhole && total > rows.length && count < Math.min(total, MAX_LINKS) && (
            <button type="button" className="text-button" onClick={() => void withBusyState(onSelectAll)()}>
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
            disabled={count > MAX_LINKS || skipReasons.length === count}
            onClick={() => (count > CONFIRM_ABOVE && !isConfirming ? setConfirming(true) : void send())}
          >
            Email {linkCount}
          </Button>
        </span>
      )}
    </section>
  );
}
