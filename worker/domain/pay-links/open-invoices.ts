import type { ListRequest } from '#shared/contracts/lists/list-request';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { Owed } from '#shared/contracts/payments/pay-links';
import { decimalFromCents } from '#shared/money';
import { addDays } from '#shared/text/local-day';
import { findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import type { ListRow } from '#worker/data/lists/description';
import { openInvoiceList } from '#worker/data/lists/invoices';
import { readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import { type CountAndSum, sumOwed } from '#worker/data/pay-links/owed';
import { insertMissingLinks, type LiveLink } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import { clinicDay } from '#worker/domain/merchants/clinic-day';
import { dueDateOf, liveLinkOf, type NextReminder, presentOpenInvoice } from '../lists/present.ts';
import { factsOf, type ListResult } from '../lists/read-list.ts';
import { linkEnd, linkEvent } from './pay-link.ts';

/**
 * A page of the invoices that are or were payable, each with a live pay id. Missing and ended links are issued now from
 * the synced records, without a call to the CRM. Null if the session of this claim has ended.
 */
export async function listOpenInvoices(
  deps: Deps,
  claim: SessionClaim,
  request: ListRequest,
  nextReminder: NextReminder,
): Promise<ListResult<OpenInvoiceItem> | null> {
  const page = await readListPage(deps.db, openInvoiceList, claim, deps.now(), request);
  if (!page) return null;
  const rowsWithoutLink = page.rows.filter((row) => !isLive(liveLinkOf(row), deps.now()));
  const issuedLinks =
    rowsWithoutLink.length > 0 ? await issueLinks(deps, claim.accountId, rowsWithoutLink) : new Map<string, LiveLink>();
  const items = page.rows.map((row) => {
    const link = issuedLinks.get(String(row.invoice_id)) ?? liveLinkOf(row);
    if (!link) throw new Error('an open invoice has no pay link');
    return presentOpenInvoice(row, link, deps.now(), nextReminder);
  });
  return { items, ...factsOf(page, request, deps.now()) };
}

const isLive = (link: LiveLink | null, now: number): boolean => link !== null && link.endsAt > now;

async function issueLinks(deps: Deps, accountId: number, rows: ListRow[]) {
  const { db, now, settings, newCapability } = deps;
  const timeZone = await findTimeZone(db, accountId);
  const links = rows.map((row) => ({
    payId: newCapability(),
    invoiceId: String(row.invoice_id),
    endsAt: linkEnd(dueDateOf(row), now(), settings, timeZone),
  }));
  // The system issues them, since staff only viewed the list.
  const event = (action: 'link.issued' | 'link.ended') => linkEvent(bySystem(deps), action, accountId, '');
  const events = { issued: event('link.issued'), ended: event('link.ended') };
  return insertMissingLinks(db, accountId, links, now(), events);
}

const MONTH_DAYS = 30;
const presentSum = ({ count, cents }: CountAndSum) => ({ count, amount: decimalFromCents(cents) });

/** The overdue amounts by age, the amounts due and paid, and the number of customers who owe. */
export async function viewOpenInvoiceSummary({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Owed> {
  const day = await clinicDay({ db, now }, accountId);
  const [month, twoMonths] = [addDays(day, -MONTH_DAYS), addDays(day, -2 * MONTH_DAYS)];
  const [{ due, ages, paid, all, customers }, totals] = await Promise.all([
    sumOwed(db, accountId, [day, month, twoMonths]),
    listDailyTotals(db, accountId, addDays(day, 1 - MONTH_DAYS), day),
  ]);
  const sumOf = (sums: CountAndSum[]): CountAndSum => ({
    count: sums.reduce((sum, { count }) => sum + count, 0),
    cents: sums.reduce((sum, { cents }) => sum + cents, 0),
  });
  return {
    day,
    overdue: {
      ...presentSum(sumOf(ages)),
      ages: [
        { ...presentSum(ages[0]), days: '1-30', from: month, to: addDays(day, -1) },
        { ...presentSum(ages[1]), days: '31-60', from: twoMonths, to: addDays(month, -1) },
        { ...presentSum(ages[2]), days: '61+', from: null, to: addDays(twoMonths, -1) },
      ],
    },
    due: presentSum(due),
    paid: { count: paid, amount: decimalFromCents(totals.reduce((sum, { netCents }) => sum + netCents, 0)) },
    all,
    customers,
  };
}
