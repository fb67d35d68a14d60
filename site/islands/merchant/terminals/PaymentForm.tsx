import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CustomerItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { CounterTerminal } from '#shared/contracts/payments/terminals';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { useSearch } from '#site/islands/ui/routing/router.tsx';
import type { ClientError } from '../api/api.ts';
import { Lazy } from '../common/Lazy.tsx';
import { usePaymentBlockReason } from '../common/online-off.ts';
import { fetchCustomer } from '../customers/fetch-customer.ts';
import { customerName } from '../lists/customers.ts';
import { nameOf } from '../pay-links/open-invoices.ts';
import { CustomerBox } from './CustomerBox.tsx';
import { InvoiceSelect } from './InvoiceSelect.tsx';
import { PayByPhone } from './PayByPhone.tsx';
import { describeBusy, isRunning } from './sale-words.ts';
import { useStartSale } from './use-start.ts';

/** The localStorage key of the last card reader, since each counter has its own browser. */
const STORAGE_KEY = 'last_device';

export const rememberTerminal = (terminalId: string): void => localStorage.setItem(STORAGE_KEY, terminalId);

/**
 * Preselects the only card reader or the one that was last chosen in this browser, and the customer and the invoice in
 * the URL.
 */
export function usePreset(counters: CounterTerminal[] | null, onCustomer: (customer: CustomerItem) => void) {
  const search = useSearch();
  const [params] = useState(() => new URLSearchParams(search));
  const customerId = params.get('customer');
  const onFound = useEffectEvent(onCustomer);
  useEffect(() => {
    // If the customer cannot be loaded, staff can choose one by hand.
    if (customerId) void fetchCustomer(customerId).then((answer) => answer.ok && onFound(answer.value.customer));
  }, [customerId]);
  const ids = (counters ?? []).map(({ terminal_id }) => terminal_id);
  const lastId = localStorage.getItem(STORAGE_KEY) ?? '';
  const device = ids.length === 1 ? ids[0] : ids.find((id) => id === lastId);
  return { deviceId: device ?? '', invoiceId: params.get('invoice') ?? '' };
}

const partAmount = lazyScreen(() => import('../installments/PartAmount.tsx').then((code) => code.PartAmount));

export type PaymentProps = {
  /** Null while loading. */
  counters: CounterTerminal[] | null;
  onShow(saleId: string): void;
  onReload(): Promise<CounterTerminal[] | null>;
};

/** A form in which staff choose a card reader, then a customer, and then an invoice. */
export function PaymentForm({ counters, onShow, onReload }: PaymentProps) {
  const [pickedDeviceId, setPickedDeviceId] = useState<string | null>(null);
  const [customer, setCustomer] = useState<CustomerItem | null>(null);
  const [invoice, setInvoice] = useState<OpenInvoiceItem | null>(null);
  const [part, setPart] = useState('');
  const [paidByLink, setPaidByLink] = useState('');
  const [reloadCount, setReloadCount] = useState(0);
  const { isStarting, error, start, close } = useStartSale(onShow, onReload);
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) banner.current?.focus();
  }, [error]);

  const [presetCustomerId, setPresetCustomerId] = useState('');
  const preset = usePreset(counters, (presetCustomer) => {
    setCustomer(presetCustomer);
    setPresetCustomerId(presetCustomer.id);
  });
  const deviceId = pickedDeviceId ?? preset.deviceId;
  const counter = counters?.find(({ terminal_id }) => terminal_id === deviceId) ?? null;
  const runningSale = counter?.is_busy ? counter.sale : null;
  const missingChoice = !counter ? 'a card reader' : !customer ? 'a customer' : !invoice ? 'an invoice' : null;
  const block = usePaymentBlockReason();
  const blockedReason = block
    ? `${block} Card readers take no new payments.`
    : runningSale
      ? `${runningSale.terminal_name} may still take a card for ${runningSale.invoice_number || 'another invoice'}. Let it finish, or press cancel on it.`
      : invoice && invoice.crm_id === paidByLink
        ? `${nameOf(invoice)} already has a payment by link. Choose another invoice or customer.`
        : missingChoice && `Choose ${missingChoice} first.`;
  const selectCustomer = (next: CustomerItem | null) => {
    setCustomer(next);
    setInvoice(null);
    close();
  };

  const form = (
    <form
      className="card take-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!counter || !invoice || block || runningSale || isStarting) return;
        void start(
          {
            terminalId: counter.terminal_id,
            device: counter.terminal_name,
            invoiceId: invoice.crm_id,
            about: [nameOf(invoice), customer && customerName(customer)].filter(Boolean).join(', '),
            amount: invoice.amount_due ?? '',
            currency: invoice.currency,
          },
          part.trim().replace(/^\$/, ''),
        );
      }}
    >
      {error && (
        <Banner
          tone="bad"
          lead={leadOf(error, counters ?? [], invoice)}
          ref={banner}
          onDismiss={close}
          actions={
            error.code === 'amount-changed' && (
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  setInvoice(null);
                  setReloadCount(reloadCount + 1);
                  close();
                }}
              >
                Load the invoices again
              </button>
            )
          }
        />
      )}
      <div className="field">
        <label className="label" htmlFor="take-device">
          Device
        </label>
        <Select
          id="take-device"
          value={counter?.terminal_id ?? ''}
          disabled={!counters || counters.length === 0}
          aria-describedby={runningSale ? 'take-busy' : undefined}
          onChange={({ target }) => {
            setPickedDeviceId(target.value);
            rememberTerminal(target.value);
            close();
          }}
        >
          {counters?.length === 0 ? (
            <option value="">No devices found</option>
          ) : (
            <option value="">{counters ? 'Choose a card reader' : 'Loading...'}</option>
          )}
          {counters?.map(({ terminal_id, terminal_name }) => (
            <option key={terminal_id} value={terminal_id}>
              {terminal_name}
            </option>
          ))}
        </Select>
        {counters?.length === 0 && (
          <span className="hint">A card reader on your counter appears here once the card provider has set it up.</span>
        )}
        {runningSale && (
          <p className="take-busy" id="take-busy">
            {describeBusy(runningSale)} It waits until {formatTime(new Date(runningSale.ends_by))}.{' '}
            <button type="button" className="text-button" onClick={() => onShow(runningSale.id)}>
              Show
            </button>
          </p>
        )}
      </div>
      <CustomerBox key={presetCustomerId} selected={customer} onChoose={selectCustomer} isDisabled={!counter} />
      <InvoiceSelect
        key={`${customer?.id ?? ''} ${reloadCount}`}
        customer={customer}
        selected={invoice}
        preselectedId={preset.invoiceId}
        onChoose={(next) => {
          setInvoice(next);
          setPart('');
          close();
        }}
      />
      {invoice && <Lazy screen={partAmount} props={{ invoiceId: invoice.crm_id, part, onPartChange: setPart }} />}
      <div className="take-go">
        <Button kind="primary" size="lg" type="submit" busy={isStarting} disabled={blockedReason !== null}>
          Proceed to Payment
        </Button>
        <p className="hint" role="status">
          {blockedReason}
        </p>
      </div>
    </form>
  );
  return (
    <div className="take-ways">
      {form}
      <PayByPhone key={invoice?.crm_id ?? ''} invoice={invoice} onPaid={() => setPaidByLink(invoice?.crm_id ?? '')} />
    </div>
  );
}

/** Returns the lead for an error. It is more precise than the Worker's message if the conflicting sale is known. */
function leadOf(error: ClientError, counters: CounterTerminal[], invoice: OpenInvoiceItem | null): string {
  // The text below the card reader shows who is using it.
  if (error.code === 'terminal-busy') return 'The card reader is busy. Nothing was started.';
  const busyCounter = counters.find(({ sale }) => sale?.invoice_id === invoice?.crm_id && sale && isRunning(sale));
  if (error.code === 'at-the-desk' && busyCounter?.sale)
    return `This invoice is being paid. ${describeBusy(busyCounter.sale)}`;
  return error.message;
}
