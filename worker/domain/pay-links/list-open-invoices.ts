import type { ListRequest } from '#shared/contracts/list-request';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import type { ListRow } from '#worker/data/lists/cursors';
import { openInvoiceList } from '#worker/data/lists/invoices';
import { readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import { insertMissingLinks, type LiveLink } from '#worker/data/pay-links/missing-links';
import type { Deps } from '#worker/deps';
import { factsOf, type Listed } from '../lists/facts.ts';
import { dueDateOf, liveLinkOf, type NextReminder, presentOpenInvoice } from '../lists/present.ts';
import { linkEvent } from './issue.ts';
import { linkEnd } from './link-state.ts';

/**
 * A page of the invoices that are or were to be paid, each with a live pay id. Missing and ended links are issued now
 * from the synced records, without asking the CRM. Null: the session of this claim has ended.
 */
export async function listOpenInvoices(
  deps: Deps,
  claim: SessionClaim,
  request: ListRequest,
  nextReminder: NextReminder,
): Promise<Listed<OpenInvoiceItem> | null> {
  const page = await readListPage(deps.db, openInvoiceList, claim, deps.now(), request);
  if (!page) return null;
  const without = page.rows.filter((row) => !isLive(liveLinkOf(row), deps.now()));
  const issued = without.length > 0 ? await issueLinks(deps, claim.accountId, without) : new Map<string, LiveLink>();
  const items = page.rows.map((row) => {
    const link = issued.get(String(row.invoice_id)) ?? liveLinkOf(row);
    if (!link) throw new Error('an open invoice has no pay link');
    return presentOpenInvoice(row, link, deps.now(), nextReminder);
  });
  return { items, ...factsOf(page, request, deps.now()) };
}

const isLive = (link: LiveLink | null, now: number): boolean => link !== null && link.endsAt > now;

function issueLinks(deps: Deps, accountId: number, rows: ListRow[]) {
  const { db, now, settings, newCapability } = deps;
  const links = rows.map((row) => ({
    payId: newCapability(),
    invoiceId: String(row.invoice_id),
    endsAt: linkEnd(dueDateOf(row), now(), settings),
  }));
  const event = (action: 'link.issued' | 'link.ended') => linkEvent(deps, action, accountId, '');
  const events = { issued: event('link.issued'), ended: event('link.ended') };
  return insertMissingLinks(db, accountId, links, now(), events);
}
