import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { MAX_LINKS, type Mailing } from '#shared/contracts/payments/pay-links';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { api } from '../api/api.ts';
import { hasRight } from '../common/app-view.ts';
import { useLinkBlockReason } from '../common/online-off.ts';
import type { List } from '../lists/use-list.ts';
import { useAmountsOwed } from '../lists/use-owed.ts';
import { describeRow, fetchMailing, MailingBar, MailingOutcome, startMailing, stopMailing } from './MailingBar.tsx';
import { OverdueByAge, OwedTabs } from './OwedTabs.tsx';
import { nameOf, openInvoiceSource, type RowExtras } from './open-invoices.ts';
import { canSelect, type InvoiceSelection, PickBar, SelectPageCheckbox, useSelection } from './PickBar.tsx';
import '#site/styles/areas/merchant/lists/collect.css';

const POLL_MS = 1500;
const PAGE_SIZE = 100;
const UNPAID_STATUSES = 'overdue,due';

type Props = {
  list: List<OpenInvoiceItem>;
  /** An element below the table. The selection and the progress are shown there, so that they do not move the rows. */
  footer: HTMLElement | null;
  onExtras(marks: RowExtras): void;
};

/** The totals owed on open invoices, and controls for emailing many pay links at once. */
export function CollectPanel({ list, footer: foot, onExtras: onMarks }: Props) {
  const { status = '', due_date = '' } = list.query.filters;
  const picks = useSelection(status);
  useLinkBlockReason();
  // The ids are joined to a string for comparison, since each render creates a new array of rows.
  const selectable = list.rows
    .filter(canSelect)
    .map(({ crm_id }) => crm_id)
    .join();
  const isSelecting = hasRight('collect') && (selectable !== '' || picks.all.size > 0);
  const [rowTexts, setRowTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const updateExtras = useEffectEvent(() =>
    onMarks({
      renderCheckbox: (invoice) => <SelectCheckbox invoice={invoice} picks={picks} />,
      pickPage: isSelecting && <SelectPageCheckbox rows={list.rows} picks={picks} isHead />,
      empty: !list.query.q && !due_date && EMPTY_TEXTS[status],
      mailingState: ({ crm_id }) => rowTexts.get(crm_id),
    }),
  );
  // The update must happen in the same frame as the click, since the controlled checkbox would otherwise flicker.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these determine what the rows show
  useLayoutEffect(() => updateExtras(), [picks.all, status, due_date, list.query.q, rowTexts, selectable]);
  const owed = useAmountsOwed(list.info?.asOf ?? '');
  const mailing = useMailing(setRowTexts, list.reload);
  const [failure, setFailure] = useState<string | null>(null);

  const selectAllPages = async () => {
    const { sort, q, filters } = list.query;
    for (let page = 1; page <= MAX_LINKS / PAGE_SIZE; page++) {
      // In the list of all invoices, only the unpaid ones are selected, since paid invoices need no link.
      const pageFilters = { ...filters, status: status || UNPAID_STATUSES };
      const params = new URLSearchParams({ ...pageFilters, sort, page: String(page), size: String(PAGE_SIZE) });
      if (q) params.set('q', q);
      const answer = await api.call(`${openInvoiceSource.path}?${params}`, openInvoiceSource.readRows);
      if (!answer.ok) return setFailure(answer.error.message);
      picks.pickAll(answer.value);
      if (answer.value.length < PAGE_SIZE) return;
    }
  };
  const send = async () => {
    const error = await mailing.start([...picks.all.keys()]);
    setFailure(error);
    if (error === null) picks.clear();
  };
  const { shownMailing: shown } = mailing;
  return (
    <>
      <OwedTabs owed={owed} status={status} />
      {status === 'overdue' && <OverdueByAge owed={owed} due={due_date} />}
      {isSelecting && (
        <span className="pick-above">
          <SelectPageCheckbox rows={list.rows} picks={picks} />
        </span>
      )}
      {failure && (
        <LateBanner tone="bad" lead="Error sending payment link" onDismiss={() => setFailure(null)}>
          {failure}
        </LateBanner>
      )}
      {shown?.is_over && <MailingOutcome mailing={shown} onClose={mailing.close} />}
      {foot &&
        createPortal(
          shown && !shown.is_over ? (
            <MailingBar mailing={shown} onStop={mailing.stop} onStart={mailing.onStart} />
          ) : (
            isSelecting && (
              <PickBar
                rows={list.rows}
                total={list.total ?? 0}
                isUnpaidOnly={status !== ''}
                picks={picks}
                onSelectAll={selectAllPages}
                onSend={send}
              />
            )
          ),
          foot,
        )}
    </>
  );
}

const EMPTY_TEXTS: Record<string, string> = {
  overdue: 'Nothing is overdue.',
  due: 'Nothing is due.',
  paid: 'Nothing is paid yet.',
};

function SelectCheckbox({ invoice, picks }: { invoice: OpenInvoiceItem; picks: InvoiceSelection }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={picks.all.has(invoice.crm_id)}
        disabled={!canSelect(invoice)}
        onChange={({ target }) => picks.set([invoice], target.checked)}
      />
      <span className="sr-only">Select {nameOf(invoice)}</span>
    </label>
  );
}

/**
 * Follows the newest mailing, which may have been started in another tab or by a colleague. It is shown while it is in
 * progress, and also afterwards if it ended while this page was open.
 */
function useMailing(onRowTexts: (texts: ReadonlyMap<string, string>) => void, reload: () => void) {
  const [mailing, setMailing] = useState<Mailing | null>(null);
  const [followedId, setFollowedId] = useState<string | null>(null);
  const pendingRequest = useRef<{ invoices: string; id: string }>(undefined);
  const isRunning = mailing !== null && !mailing.is_over;
  const update = useEffectEvent((next: Mailing | null) => {
    if (next && !next.is_over) setFollowedId(next.id);
    if (next?.is_over && isRunning) reload();
    setMailing(next);
    const invoices = next && (!next.is_over || next.id === followedId) ? next.invoices : [];
    onRowTexts(new Map(invoices.map((invoice) => [invoice.id, describeRow(invoice)])));
  });
  const poll = async () => {
    const answer = await fetchMailing();
    if (answer.ok) update(answer.value.mailing);
    return answer.ok;
  };
  const startPolling = useEffectEvent(poll);
  useEffect(() => {
    void startPolling();
  }, []);
  usePoll(poll, isRunning ? POLL_MS : null);
  return {
    shownMailing: mailing && (isRunning || mailing.id === followedId) ? mailing : null,
    start: async (invoices: string[]): Promise<string | null> => {
      // A retry after a lost reply reuses the id, so that the server does not start a second mailing.
      const joined = invoices.join();
      if (pendingRequest.current?.invoices !== joined)
        pendingRequest.current = { invoices: joined, id: crypto.randomUUID() };
      const answer = await startMailing(pendingRequest.current.id, invoices);
      if (!answer.ok) return answer.error.message;
      pendingRequest.current = undefined;
      update(answer.value.mailing);
      return null;
    },
    stop: async (): Promise<string | null> => {
      if (!mailing) return null;
      const answer = await stopMailing(mailing.id);
      if (answer.ok) update(answer.value.mailing);
      return answer.ok ? null : answer.error.message;
    },
    onStart: () => setMailing((current) => current && { ...current, starts_in_ms: 0 }),
    close: () => {
      setFollowedId(null);
      onRowTexts(new Map());
    },
  };
}
