import { useEffect, useEffectEvent, useState } from 'react';
import type { CustomerItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { nameOf } from '../pay-links/open-invoices.ts';
import { fetchOpenInvoicesOf } from './api.ts';
import { moneyOf } from './sale-words.ts';

type Load = { kind: 'loading' } | { kind: 'failed'; message: string } | { kind: 'loaded'; rows: OpenInvoiceItem[] };

type Props = {
  customer: CustomerItem | null;
  selected: OpenInvoiceItem | null;
  /** The invoice to preselect, if it is in the list. */
  preselectedId?: string | undefined;
  onChoose(invoice: OpenInvoiceItem | null): void;
};

/** True if no payment of the invoice can be taken now. */
const isBlocked = ({ amount_due, is_undecided }: OpenInvoiceItem): boolean => amount_due === null || is_undecided;

const describeOption = (item: OpenInvoiceItem): string => {
  const due = item.due_date ? `, due ${formatDay(item.due_date)}` : '';
  if (item.is_undecided) return `${nameOf(item)} – may have been charged already`;
  return `${nameOf(item)} – ${item.amount_due === null ? 'its amount cannot be read' : moneyOf(item.amount_due, item.currency)}${due}`;
};

/** Selects one of a customer's open invoices. It is remounted for another customer. */
export function InvoiceSelect({ customer, selected: chosen, preselectedId, onChoose }: Props) {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const [attemptCount, setAttemptCount] = useState(0);
  const customerId = customer?.id ?? null;
  const onFound = useEffectEvent(onChoose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attemptCount` triggers a new request
  useEffect(() => {
    if (customerId === null) return;
    let isUnmounted = false;
    setLoad({ kind: 'loading' });
    void fetchOpenInvoicesOf(customerId).then((answer) => {
      if (isUnmounted) return;
      const preselected =
        answer.ok && answer.value.rows.find((item) => item.crm_id === preselectedId && !isBlocked(item));
      if (preselected) onFound(preselected);
      setLoad(
        answer.ok ? { kind: 'loaded', rows: answer.value.rows } : { kind: 'failed', message: answer.error.message },
      );
    });
    return () => {
      isUnmounted = true;
    };
  }, [customerId, attemptCount]);
  const rows = customerId !== null && load.kind === 'loaded' ? load.rows : [];
  const placeholder = !customerId
    ? 'Choose a customer first'
    : load.kind === 'loading'
      ? 'Loading invoices...'
      : rows.length === 0
        ? 'No open invoices'
        : 'Choose an invoice';

  return (
    <div className="field">
      <label className="label" htmlFor="take-invoice">
        Invoice
      </label>
      <Select
        id="take-invoice"
        value={chosen?.crm_id ?? ''}
        disabled={rows.length === 0}
        onChange={({ target }) => onChoose(rows.find(({ crm_id }) => crm_id === target.value) ?? null)}
      >
        <option value="">{placeholder}</option>
        {rows.map((item) => (
          <option key={item.crm_id} value={item.crm_id} disabled={isBlocked(item)}>
            {describeOption(item)}
          </option>
        ))}
      </Select>
      {customerId !== null && load.kind === 'failed' && (
        <p className="take-failed" role="alert">
          The invoices could not be loaded. {load.message}{' '}
          <button type="button" className="text-button" onClick={() => setAttemptCount(attemptCount + 1)}>
            Retry
          </button>
        </p>
      )}
    </div>
  );
}
