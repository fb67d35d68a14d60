import { useMemo, useState } from 'react';
import type { BatchTransaction } from '#shared/contracts/payments/batches';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import type { ListView } from '#site/islands/ui/table/list-view.ts';
import { type RankedColumn, useSorted } from '#site/islands/ui/table/use-sorted.ts';
import { hasRight } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { RightHolders } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { type ReversalRequestReply as Reply, ReversalNotice } from '../refunds/Reversal.tsx';
import { fetchTransactions, transactionsAddress } from './api.ts';
import { transactionColumns } from './transaction-columns.tsx';

const NEWEST_FIRST = { id: 'date', desc: true };

/** Sorts and pages a batch's rows in the browser, and returns them in the form of a list from the server. */
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
const NO_TRANSACTIONS: BatchTransaction[] = [];

type Props = { terminalId: string; batchId: string; onChanged(): void };
type Reversal = { payment: NonNullable<BatchTransaction['payment']>; reply: Reply };

/** All transactions of a batch, which are few enough to sort in the browser. */
export function TransactionTable({ terminalId, batchId, onChanged }: Props) {
  const load = useLoad(`${terminalId} ${batchId}`, 'Failed to fetch transactions', () =>
    fetchTransactions(terminalId, batchId),
  );
  const [toReverse, setToReverse] = useState<BatchTransaction | null>(null);
  const [reversal, setReversal] = useState<Reversal | null>(null);
  const columns = useMemo(() => transactionColumns(setToReverse), []);
  const phase = load.value ? (load.isLoading ? 'refreshing' : 'shown') : load.failure ? 'failed' : 'loading';
  const list = useRows(columns, load.value ?? NO_TRANSACTIONS, phase);
  const refresh = () => {
    load.reload();
    onChanged();
  };
  const payment = toReverse?.payment;
  return (
    <>
      {reversal && (
        <ReversalNotice
          paymentId={reversal.payment.id}
          number={reversal.payment.invoice_number}
          reply={reversal.reply}
          batchUrlOf={(id) => transactionsAddress(terminalId, id)}
          onSettled={refresh}
          onClose={() => setReversal(null)}
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
      {!hasRight('refund') && <RightHolders right="refund" action="void or refund payments" />}
      {load.value && load.value.length > 0 && <Lazy screen={batchMatch} props={{ terminalId, batchId }} />}
      {payment?.offer?.kind && (
        <Lazy
          screen={reverseDialog}
          props={{
            payment,
            kind: payment.offer.kind,
            remaining: payment.offer.left,
            mayRefund: payment.offer.may_refund,
            onDone: (reply: Reply) => {
              setToReverse(null);
              setReversal({ payment, reply });
              refresh();
            },
            onCancel: () => setToReverse(null),
          }}
        />
      )}
    </>
  );
}
