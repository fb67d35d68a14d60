import { useMemo } from 'react';
import {
  formatDaysForFileName,
  listedPaymentStatuses,
  paymentStatusWords,
} from '#shared/contracts/payments/payment-list-values';
import { ONLINE_CURRENCY } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { addDays, weekdayOf } from '#shared/text/local-day';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { formatDay, todayLocal } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import { transactionsAddress } from '../batches/api.ts';
import { hasRight } from '../common/app-view.ts';
import { RightHolders } from '../common/RequireRight.tsx';
import { failureOf, ListHead, ListTools } from '../lists/ListHead.tsx';
import { RangeForm } from '../lists/RangeForm.tsx';
import { formatRange, parseRange } from '../lists/range.ts';
import { type List, useList } from '../lists/use-list.ts';
import { usePaymentReversal } from '../refunds/use-payment-reversal.tsx';
import { NoPayments } from './NoPayments.tsx';
import { numberOf, type PaymentFacts, paymentColumns, paymentSource, readFacts } from './payments.tsx';
import { ReaderFilter } from './ReaderFilter.tsx';
import '#site/styles/areas/merchant/money/batches.css';
import '#site/styles/areas/merchant/money/payments.css';
import '#site/styles/parts/form/choices.css';

/** All payments and refunds of a period, which staff may void or refund from here. */
export function PaymentList() {
  const list = useList(paymentSource);
  const reversal = usePaymentReversal({
    shownPayments: list.rows.map((row) => ({ id: row.payment_id, number: numberOf(row) })),
    batchUrlOf: transactionsAddress,
    onChanged: list.reload,
  });
  const columns = paymentColumns({
    canReverse: hasRight('refund'),
    loadingId: reversal.loadingId,
    onReverse: (row) => reversal.start({ id: row.payment_id, number: numberOf(row) }),
  });
  const facts = useMemo(() => readFacts(list.body), [list.body]);
  return (
    <div className="list-page payments">
      <AppLink href="/batches" className="batches-back">
        <Icon name="previous" size="sm" />
        Batches Dashboard
      </AppLink>
      <ListHead
        title="Payments"
        noun="payments"
        source={paymentSource}
        list={list}
        level={2}
        days={daysOf(list, facts)}
      />
      <Periods list={list} />
      <Totals facts={facts} />
      {reversal.outcome}
      {reversal.refusal}
      <DataTable
        noun="payments"
        columns={columns}
        list={list}
        keyOf={({ id, payment_id, method }) => `${method} ${id || payment_id}`}
        failure={failureOf('payments', list)}
        loadingText="Loading payments..."
        empty={<NoPayments list={list} period={facts?.period} />}
        tools={
          <ListTools searchedFields="name, number, card or amount" list={list}>
            <StatusFilter list={list} />
            <ReaderFilter list={list} />
          </ListTools>
        }
      />
      {!hasRight('refund') && <RightHolders right="refund" action="void or refund payments" />}
      {reversal.dialog}
    </div>
  );
}

/** Returns the days for an export's file name. If the filter has no start or no end, the reply supplies it. */
function daysOf({ query }: List<unknown>, facts: PaymentFacts | null): string | undefined {
  const range = parseRange(query.filters.day);
  if (range?.from && range.to) return formatDaysForFileName(range);
  return facts ? formatDaysForFileName(facts.period) : undefined;
}

/** Returns the preset periods in the format of the filter. '' is the server's default period. */
export function periodsOf(today: string): { name: string; range: string }[] {
  const monthStart = `${today.slice(0, 7)}-01`;
  const lastMonthEnd = addDays(monthStart, -1);
  const rangeOf = (from: string, to: string) => formatRange({ from, to });
  const yesterday = addDays(today, -1);
  // Weeks begin on Monday, as in the analytics.
  const lastSunday = addDays(today, -(weekdayOf(today) || 7));
  return [
    { name: 'Last 30 days', range: '' },
    { name: 'Today', range: rangeOf(today, today) },
    { name: 'Yesterday', range: rangeOf(yesterday, yesterday) },
    { name: 'Last week', range: rangeOf(addDays(lastSunday, -6), lastSunday) },
    { name: 'This month', range: rangeOf(monthStart, today) },
    { name: 'Last month', range: rangeOf(`${lastMonthEnd.slice(0, 7)}-01`, lastMonthEnd) },
  ];
}

function Periods({ list }: { list: List<unknown> }) {
  const { filters } = list.query;
  const selectedRange = filters.day ?? '';
  const show = (day: string) => list.show({ filters: { ...filters, day }, page: 1 });
  const periods = periodsOf(todayLocal());
  const custom = periods.some(({ range }) => range === selectedRange) ? null : parseRange(selectedRange);
  return (
    <fieldset className="periods">
      <legend className="sr-only">Period</legend>
      {periods.map(({ name, range }) => (
        <button
          key={name}
          type="button"
          className="button button-secondary button-sm"
          aria-pressed={range === selectedRange}
          onClick={() => show(range)}
        >
          {name}
        </button>
      ))}
      <Disclosure
        size="sm"
        label={
          custom
            ? `${custom.from ? formatDay(custom.from) : '…'} to ${custom.to ? formatDay(custom.to) : 'today'}`
            : 'Other days'
        }
        isSet={custom !== null}
      >
        {(close) => (
          <RangeForm
            type="date"
            labels={['First day', 'Last day']}
            range={parseRange(selectedRange)}
            parse={(text) => text}
            onApply={(range) => {
              show(formatRange(range));
              close();
            }}
          />
        )}
      </Disclosure>
    </fieldset>
  );
}

function StatusFilter({ list }: { list: List<unknown> }) {
  const { filters } = list.query;
  const chosen = listedPaymentStatuses.filter((status) => filters.status?.split(',').includes(status));
  const toggleStatus = (status: string, isOn: boolean) => {
    const statuses = listedPaymentStatuses.filter((name) => (name === status ? isOn : chosen.includes(name)));
    list.show({ filters: { ...filters, status: statuses.join(',') }, page: 1 });
  };
  return (
    <Disclosure
      labelPrefix="Filter by status"
      label={chosen.length > 0 ? `Status: ${chosen.map((status) => paymentStatusWords[status]).join(', ')}` : 'Status'}
      isSet={chosen.length > 0}
    >
      {() => (
        <fieldset className="choices">
          <legend className="sr-only">Status</legend>
          {listedPaymentStatuses.map((status) => (
            <label key={status}>
              <input
                type="checkbox"
                checked={chosen.includes(status)}
                onChange={({ target }) => toggleStatus(status, target.checked)}
              />
              {paymentStatusWords[status]}
            </label>
          ))}
        </fieldset>
      )}
    </Disclosure>
  );
}

/** Returns for example "53 payments, 1 voided". Refunds and payments on their way are counted separately. */
const describePayments = ({ payments, voided, returned }: PaymentFacts['totals']): string =>
  formatCount(payments.count, 'payment') +
  (voided > 0 ? `, ${voided} voided` : '') +
  (returned > 0 ? `, ${returned} returned` : '');
const describeRefunds = ({ refunds, corrections }: PaymentFacts['totals']): string =>
  formatCount(refunds.count, 'refund') + (corrections > 0 ? `, ${corrections} corrected` : '');

/**
 * The totals of all matching rows, and the amount that they do not include. All five figures are always present, so
 * the list does not move when they arrive.
 */
function Totals({ facts }: { facts: PaymentFacts | null }) {
  const money = (amount: string) => <Money amount={amount} currency={ONLINE_CURRENCY} />;
  const placeholder = <span className="skeleton" />;
  return (
    <dl className="payment-totals" aria-busy={!facts || undefined}>
      <div>
        <dt>{facts ? describePayments(facts.totals) : 'Payments'}</dt>
        <dd>{facts ? money(facts.totals.payments.amount) : placeholder}</dd>
      </div>
      <div>
        <dt>{facts ? describeRefunds(facts.totals) : 'Refunds'}</dt>
        <dd>{facts ? money(facts.totals.refunds.amount) : placeholder}</dd>
      </div>
      <div>
        <dt>Net</dt>
        <dd>
          <strong>{facts ? money(facts.totals.net) : placeholder}</strong>
        </dd>
      </div>
      <div>
        <dt>{facts?.totals.on_its_way.count ? `${facts.totals.on_its_way.count} on its way` : 'On its way'}</dt>
        <dd>{facts ? money(facts.totals.on_its_way.amount) : placeholder}</dd>
      </div>
      <div>
        <dt>{facts?.unknown.count ? `${facts.unknown.count} with no outcome yet` : 'No outcome yet'}</dt>
        <dd>{facts ? <UnknownOutcomeAmount {...facts.unknown} /> : placeholder}</dd>
      </div>
    </dl>
  );
}

function UnknownOutcomeAmount({ count, amount }: PaymentFacts['unknown']) {
  const money = <Money amount={amount} currency={ONLINE_CURRENCY} />;
  if (count === 0) return money;
  return (
    <AppLink href="/checks" title="Not included in the totals. Open payments to check.">
      {money}
      <span className="sr-only">, not included in the totals: payments to check</span>
    </AppLink>
  );
}
