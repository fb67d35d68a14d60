import { useEffect, useState } from 'react';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { payPath } from '../../../../shared/paths.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import { fetchAhead, lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { useLater } from '../../ui/routing/use-later.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { NoRows } from '../../ui/table/NoRows.tsx';
import { appUrl } from '../api/app-url.ts';
import { ListHead } from '../lists/ListHead.tsx';
import { ListNotices } from '../lists/ListNotices.tsx';
import { ListTools } from '../lists/ListTools.tsx';
import { useList } from '../lists/use-list.ts';
import { copyLink } from '../mail/copy-link.ts';
import { mailAlert } from '../mail/mail-alert.ts';
import { useMail } from '../mail/use-mail.ts';
import { moneyOf } from '../parts/amount.ts';
import { may } from '../parts/app-view.ts';
import { Lazy } from '../parts/Lazy.tsx';
import { openInvoiceColumns } from './columns.tsx';
import { nameOf, openInvoiceSource } from './open-invoices.ts';
import type { RowMarks } from './RowActions.tsx';
import '../../../styles/areas/merchant/open-invoices.css';

/** Loaded on demand, since few visits of the list revoke a link. */
const revokeDialog = lazyScreen(() => import('./RevokeLink.tsx').then((code) => code.RevokeDialog));

const reminders = lazyScreen(() => import('../reminders/Reminders.tsx').then((code) => code.Reminders));

const collect = lazyScreen(() => import('./Collect.tsx').then((code) => code.Collect));

type Known = Partial<Pick<OpenInvoiceItem, 'id' | 'mailed' | 'mailed_at' | 'delivery' | 'link_ends_at'>>;

/** The dashboard's view of who has paid and who has not; mails are sent from here. */
export function OpenInvoices() {
  const list = useList(openInvoiceSource);
  const [known, know] = useKnown(list.rows);
  const [revoking, setRevoking] = useState<OpenInvoiceItem | null>(null);
  const [uncopied, setUncopied] = useState<string | null>(null);
  const Reminders = useLater(reminders, may('manager'));
  const Collect = useLater(collect);
  const tab = list.query.filters.status ?? '';
  const [marks, setMarks] = useState<RowMarks | null>(null);
  useEffect(() => fetchAhead(mailAlert, revokeDialog), []);
  const mail = useMail(({ id }, kind, { sent_at }) => {
    know(id, { mailed: kind, mailed_at: sent_at, delivery: null });
    list.reload();
  });

  const columns = openInvoiceColumns({
    sending: mail.sending,
    mail: (invoice, kind) => void mail.send({ id: invoice.crm_id, number: nameOf(invoice) }, kind),
    copy: async ({ id }) => {
      const url = `${appUrl()}${payPath(id)}`;
      setUncopied((await copyLink(url)) ? null : url);
    },
    revoke: setRevoking,
    marks,
  });
  return (
    <>
      <div className="list-page">
        <ListHead title="Open Invoices" noun="open invoices" source={openInvoiceSource} list={list} level={2}>
          {may('manager') && <span className="open-reminders">{Reminders && <Reminders />}</span>}
        </ListHead>
        <div className={tab === 'overdue' ? 'collect collect-overdue' : 'collect'}>
          {Collect && <Collect list={list} onMarks={setMarks} />}
        </div>
        <ListNotices noun="invoices" list={list} />
        {mail.outcome && <Lazy of={mailAlert} props={{ outcome: mail.outcome, onClose: mail.close }} />}
        {uncopied && (
          <Banner tone="note" lead="Your browser does not let this page copy." onDismiss={() => setUncopied(null)}>
            Copy the address yourself: <span className="open-address">{uncopied}</span>
          </Banner>
        )}
        <DataTable
          noun="open invoices"
          columns={columns}
          list={{ ...list, rows: list.rows.map((row) => ({ ...row, ...known[row.crm_id] })) }}
          keyOf={({ crm_id }) => crm_id}
          loadingText="Loading invoices..."
          empty={<NoRows noun="invoice" list={list} emptyText="No invoices available." />}
          tools={<ListTools searchOf="number, name or company" list={list} />}
        />
      </div>
      {revoking && (
        <Lazy
          of={revokeDialog}
          props={{
            invoice: {
              id: revoking.crm_id,
              number: nameOf(revoking),
              amount: moneyOf(revoking.amount_due, revoking.currency),
            },
            onReplaced: ({ id, ends_at }) => {
              know(revoking.crm_id, { id, link_ends_at: ends_at });
              list.reload();
            },
            onClose: () => setRevoking(null),
          }}
        />
      )}
      <Toasts />
    </>
  );
}

/** Facts about rows from our own calls, until the rows are read again. */
function useKnown(rows: OpenInvoiceItem[]) {
  const [said, setSaid] = useState<{ of: OpenInvoiceItem[]; byId: Record<string, Known> }>({ of: rows, byId: {} });
  const known = said.of === rows ? said.byId : {};
  const know = (id: string, part: Known) =>
    setSaid((before) => {
      const earlier = before.of === rows ? before.byId : {};
      return { of: rows, byId: { ...earlier, [id]: { ...earlier[id], ...part } } };
    });
  return [known, know] as const;
}
