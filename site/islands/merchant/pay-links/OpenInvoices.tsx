import { type ReactNode, useEffect, useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { hasRight } from '../common/app-view.ts';
import { Lazy, useLazyPart } from '../common/Lazy.tsx';
import { paymentsPath } from '../common/payments-address.ts';
import { RightHolders } from '../common/RequireRight.tsx';
import { failureOf, ListHead, ListTools } from '../lists/ListHead.tsx';
import { type List, useList } from '../lists/use-list.ts';
import { useMail } from '../mail/pay-link-or-receipt.ts';
import { openInvoiceColumns, rowMenu } from './columns.tsx';
import { nameOf, openInvoiceSource, type RowExtras, type RowUpdate } from './open-invoices.ts';
import '#site/styles/areas/merchant/lists/open-invoices.css';

/** The notice about a sent email. It is needed only after a click, so it is not in the first bundle. */
export const mailAlert = lazyScreen(() => import('../mail/MailAlert.tsx').then((code) => code.MailAlert));

export const mailDialog = lazyScreen(() => import('../mail/MailDialog.tsx').then((code) => code.MailDialog));

const reminders = lazyScreen(() => import('../reminders/Reminders.tsx').then((code) => code.Reminders));

const collect = lazyScreen(() => import('./Collect.tsx').then((code) => code.CollectPanel));

/** The dashboard's view of paid and unpaid invoices, from which users send emails. */
export function OpenInvoices() {
  const list = useList(openInvoiceSource);
  const [updates, updateRow] = useRowUpdates(list);
  const [overlay, setOverlay] = useState<ReactNode>(null);
  const Reminders = useLazyPart(reminders, hasRight('configure'));
  const Collect = useLazyPart(collect);
  const tab = list.query.filters.status ?? '';
  const [extras, setExtras] = useState<RowExtras | null>(null);
  const [footer, setFooter] = useState<HTMLElement | null>(null);
  useEffect(() => preload(rowMenu, mailDialog, mailAlert), []);
  const mail = useMail(({ id }, kind, { sent_at }) =>
    updateRow(id, { last_email: { kind, at: sent_at, delivery: null, told_at: null } }),
  );

  const columns = openInvoiceColumns({
    sending: mail.sending,
    mail: ({ crm_id, email, last_email, ...invoice }, kind, options) =>
      mail.openDialog({
        invoice: { id: crm_id, number: nameOf({ crm_id, ...invoice }) },
        kind,
        email,
        delivery: last_email?.delivery ?? null,
        ...options,
      }),
    show: setOverlay,
    update: updateRow,
    extras,
  });
  return (
    <>
      <div className="list-page">
        <ListHead title="Open Invoices" noun="open invoices" source={openInvoiceSource} list={list} level={2}>
          {hasRight('configure') && <span className="open-reminders">{Reminders && <Reminders />}</span>}
        </ListHead>
        <div className={tab === 'overdue' ? 'collect collect-overdue' : 'collect'}>
          {Collect && <Collect list={list} footer={footer} onExtras={setExtras} />}
        </div>
        {mail.dialog && <Lazy screen={mailDialog} props={mail.dialog} />}
        {mail.outcome && <Lazy screen={mailAlert} props={{ outcome: mail.outcome, onClose: mail.close }} />}
        <DataTable
          noun="open invoices"
          columns={columns}
          list={{ ...list, rows: list.rows.map((row) => ({ ...row, ...updates[row.crm_id] })) }}
          keyOf={({ crm_id }) => crm_id}
          failure={failureOf('invoices', list)}
          loadingText="Loading invoices..."
          empty={extras?.empty || <NoRows noun="invoice" list={list} emptyText="No invoices available." />}
          tools={<ListTools searchedFields="number, name or company" list={list} />}
        />
        {!hasRight('collect') && <RightHolders right="collect" action="send payment links" />}
        {!hasRight('configure') && <RightHolders right="configure" action="set reminders" />}
        <p className="app-quiet">
          All payments by day: <AppLink href={paymentsPath()}>Payments and refunds</AppLink>
        </p>
      </div>
      <div className="collect-foot" ref={setFooter} />
      {overlay}
      <Toasts />
    </>
  );
}

/** Keeps changes of rows that this page made until the rows are reloaded. Each change triggers a reload. */
function useRowUpdates({ rows, reload }: List<OpenInvoiceItem>) {
  const [state, setState] = useState<{ rows: OpenInvoiceItem[]; byId: Record<string, RowUpdate> }>({ rows, byId: {} });
  const updates = state.rows === rows ? state.byId : {};
  const update = (id: string, change: RowUpdate) => {
    setState((previous) => {
      const earlierUpdates = previous.rows === rows ? previous.byId : {};
      return { rows, byId: { ...earlierUpdates, [id]: { ...earlierUpdates[id], ...change } } };
    });
    reload();
  };
  return [updates, update] as const;
}
