import { useMemo, useState } from 'react';
import type { BatchTransaction } from '#shared/contracts/payments/batches';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import type { ListView } from '#site/islands/ui/table/list-view.ts';
import { type RankedColumn, useSorted } from '#site/islands/ui/table/use-sorted.ts';
import { may } from '../parts/app-view.ts';
import { WhoMay } from '../parts/ForRight.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { LoadFailure, useLoad } from '../parts/use-load.tsx';
import { type Asked as Reply, ReversalNotice } from '../refunds/Reversal.tsx';
import { fetchTransactions, transactionsAddress } from './api.ts';
import { transactionColumns } from './transaction-columns.tsx';

const NEWEST_FIRST = { id: 'date', desc: true };

/** Sorts and pages a batch's rows in the browser, for the table component that also shows lists from the server. */
export function useRows(
  columns: RankedColumn<BatchTransaction>[],
  data: BatchTransaction[],
  phase: ListView<BatchTransaction>['phase'],
): ListView<BatchTransaction> {
  const [paging, setPaging] = useState({ page: 1, size: 10 });
  const { rows, sort, onSort } = useSorted(columns, data, NEWEST_FIRST);
  const { size } = paging;
  const pages = Math.max(1, Math.ceil(data.length / size));
  const page = Math.min(paging.page, pages);
  const offset = (page - 1) * size;
  return {
    query: { page, size, sort, q: '', filters: {} },
    rows: rows.slice(offset, offset + size),
    first: offset + 1,
    phase,
    total: data.length,
    pages,
    show: ({ sort: newSort, ...change }) => {
      if (newSort !== undefined) onSort(newSort);
      setPaging({ ...paging, ...change });
    },
  };
}

const reverseDialog = lazyScreen(() => import('../refunds/ReverseDialog.tsx').then((code) => code.ReverseDialog));
const batchMatch = lazyScreen(() =>
  import('../reconciliation/BatchReconciliation.tsx').then((code) => code.BatchReconciliation),
);
const NONE: BatchTransaction[] = [];

type Props = { terminalId: string; batchId: string; onChanged(): void };
type Reversed = { payment: NonNullable<BatchTransaction['payment']>; reply: Reply };

/** All transactions of one batch; few enough to sort in the browser. */
export function TransactionTable({ terminalId, batchId, onChanged }: Props) {
  const load = useLoad(`${terminalId} ${batchId}`, 'Failed to fetch transactions', () =>
    fetchTransactions(terminalId, batchId),
  );
  const [reversing, setReversing] = useState<BatchTransaction | null>(null);
  const [reversed, setReversed] = useState<Reversed | null>(null);
  const columns = useMemo(() => transactionColumns(setReversing), []);
  const phase = load.value ? (load.isReading ? 'refreshing' : 'shown') : load.failure ? 'failed' : 'loading';
  const list = useRows(columns, load.value ?? NONE, phase);
  const refresh = () => {
    load.reload();
    onChanged();
  };
  const payment = reversing?.payment;
  return (
    <>
      {reversed && (
        <ReversalNotice
          paymentId={reversed.payment.id}
          number={reversed.payment.invoice_number}
          reply={reversed.reply}
          batchAt={(id) => transactionsAddress(terminalId, id)}
          onSettled={refresh}
          onClose={() => setReversed(null)}
        />
      )}
      <LoadFailure lead="Transactions could not be loaded." load={load} />
      <DataTable
        noun="transactions"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        loadingText="Loading transactions..."
        empty={<p>This batch has no payments.</p>}
      />
      {!may('refund') && <WhoMay right="refund" act="void or refund payments" />}
      {load.value && load.value.length > 0 && <Lazy of={batchMatch} props={{ terminalId, batchId }} />}
      {payment?.offer?.kind && (
        <Lazy
          of={reverseDialog}
          props={{
            payment,
            kind: payment.offer.kind,
            left: payment.offer.left,
            mayRefund: payment.offer.may_refund,
            onDone: (reply: Reply) => {
              setReversing(null);
              setReversed({ payment, reply });
              refresh();
            },
            onCancel: () => setReversing(null),
          }}
        />
      )}
    </>
  );
}
