import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { type Mailing, MOST_LINKS } from '#shared/contracts/payments/pay-links';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { api } from '../api/api.ts';
import type { List } from '../lists/use-list.ts';
import { useOwed } from '../lists/use-owed.ts';
import { whyNoMail } from '../mail/address-trouble.ts';
import { may } from '../parts/app-view.ts';
import { useLinkBlock } from '../parts/online-off.ts';
import { LastEmail } from './LastEmail.tsx';
import { askForMailing, fetchMailing, MailingBar, MailingOutcome, rowWords, stopMailing } from './MailingBar.tsx';
import { Ageing, OwedTabs } from './OwedTabs.tsx';
import { nameOf, openInvoiceSource, type RowMarks } from './open-invoices.ts';
import { canPick, PickBar, PickPage, type Picks, usePicks } from './PickBar.tsx';
import '#site/styles/areas/merchant/lists/collect.css';

const EVERY_MS = 1500;
const PAGE = 100;
const UNPAID = 'overdue,due';

type Props = {
  list: List<OpenInvoiceItem>;
  /** An element below the table, so that selection and progress stay visible and move no row. */
  foot: HTMLElement | null;
  onMarks(marks: RowMarks): void;
};

/** The sums owed on open invoices, and mailing of pay links in bulk. */
export function Collect({ list, foot, onMarks }: Props) {
  const { status = '', due_date = '' } = list.query.filters;
  const picks = usePicks(status);
  useLinkBlock();
  // Joined ids: each render makes a new array of rows.
  const able = list.rows
    .filter(canPick)
    .map(({ crm_id }) => crm_id)
    .join();
  const isPicking = may('collect') && (able !== '' || picks.all.size > 0);
  const [said, setSaid] = useState<ReadonlyMap<string, string>>(new Map());
  const mark = useEffectEvent(() =>
    onMarks({
      tick: (invoice) => <Tick invoice={invoice} picks={picks} />,
      pickPage: isPicking && <PickPage rows={list.rows} picks={picks} isHead />,
      empty: !list.query.q && !due_date && NOTHING[status],
      lastEmail: (invoice) => <LastEmail of={invoice} now={said.get(invoice.crm_id)} />,
      whyNoMail: ({ email, bad_address }) => whyNoMail(email, bad_address),
    }),
  );
  // In the same frame as the click, or the controlled checkbox would flicker back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks depend on what the rows show
  useLayoutEffect(() => mark(), [picks.all, status, due_date, list.query.q, said, able]);
  const owed = useOwed(list.info?.asOf ?? '');
  const mailing = useMailing(setSaid, list.reload);
  const [failure, setFailure] = useState<string | null>(null);

  const pickAll = async () => {
    const { sort, q, filters } = list.query;
    for (let page = 1; page <= MOST_LINKS / PAGE; page++) {
      // Without a tab, the unpaid ones: nobody means to mail those that are paid.
      const of = { ...filters, status: status || UNPAID };
      const asked = new URLSearchParams({ ...of, sort, page: String(page), size: String(PAGE) });
      if (q) asked.set('q', q);
      const answer = await api.call(`${openInvoiceSource.path}?${asked}`, openInvoiceSource.readRows);
      if (!answer.ok) return setFailure(answer.error.message);
      picks.pickAll(answer.value);
      if (answer.value.length < PAGE) return;
    }
  };
  const send = async () => {
    const why = await mailing.begin([...picks.all.keys()]);
    setFailure(why);
    if (why === null) picks.clear();
  };
  const { shown } = mailing;
  return (
    <>
      <OwedTabs owed={owed} status={status} />
      {status === 'overdue' && <Ageing owed={owed} due={due_date} />}
      {isPicking && (
        <span className="pick-above">
          <PickPage rows={list.rows} picks={picks} />
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
            <MailingBar mailing={shown} onStop={mailing.stop} onBegun={mailing.onBegun} />
          ) : (
            isPicking && (
              <PickBar
                rows={list.rows}
                total={list.total ?? 0}
                isUnpaidOnly={status !== ''}
                picks={picks}
                onAll={pickAll}
                onSend={send}
              />
            )
          ),
          foot,
        )}
    </>
  );
}

const NOTHING: Record<string, string> = {
  overdue: 'Nothing is overdue.',
  due: 'Nothing is due.',
  paid: 'Nothing is paid yet.',
};

function Tick({ invoice, picks }: { invoice: OpenInvoiceItem; picks: Picks }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={picks.all.has(invoice.crm_id)}
        disabled={!canPick(invoice)}
        onChange={({ target }) => picks.set([invoice], target.checked)}
      />
      <span className="sr-only">Select {nameOf(invoice)}</span>
    </label>
  );
}

/**
 * The newest mailing: one in progress (also from another tab or a colleague), or one that ended while this page was
 * open.
 */
function useMailing(onSaid: (said: ReadonlyMap<string, string>) => void, reload: () => void) {
  const [mailing, setMailing] = useState<Mailing | null>(null);
  const [seen, setSeen] = useState<string | null>(null);
  const key = useRef<{ of: string; id: string }>(undefined);
  const isGoing = mailing !== null && !mailing.is_over;
  const take = useEffectEvent((next: Mailing | null) => {
    if (next && !next.is_over) setSeen(next.id);
    if (next?.is_over && isGoing) reload();
    setMailing(next);
    const said = next && (!next.is_over || next.id === seen) ? next.invoices : [];
    onSaid(new Map(said.map((invoice) => [invoice.id, rowWords(invoice)])));
  });
  const look = async () => {
    const answer = await fetchMailing();
    if (answer.ok) take(answer.value.mailing);
    return answer.ok;
  };
  const first = useEffectEvent(look);
  useEffect(() => {
    void first();
  }, []);
  usePoll(look, isGoing ? EVERY_MS : null);
  return {
    shown: mailing && (isGoing || mailing.id === seen) ? mailing : null,
    begin: async (invoices: string[]): Promise<string | null> => {
      // A retry after a lost reply reuses the id, so that no one is mailed twice.
      const of = invoices.join();
      if (key.current?.of !== of) key.current = { of, id: crypto.randomUUID() };
      const answer = await askForMailing(key.current.id, invoices);
      if (!answer.ok) return answer.error.message;
      key.current = undefined;
      take(answer.value.mailing);
      return null;
    },
    stop: async (): Promise<string | null> => {
      if (!mailing) return null;
      const answer = await stopMailing(mailing.id);
      if (answer.ok) take(answer.value.mailing);
      return answer.ok ? null : answer.error.message;
    },
    onBegun: () => setMailing((now) => now && { ...now, starts_in_ms: 0 }),
    close: () => {
      setSeen(null);
      onSaid(new Map());
    },
  };
}
