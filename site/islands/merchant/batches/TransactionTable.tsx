import { useMemo, useState } from 'react';
import type { BatchTransaction } from '#shared/contracts/batches';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { useLoad } from '../parts/use-load.ts';
import type { Asked as Reply } from '../refunds/api.ts';
import { ReversalNotice } from '../refunds/ReversalNotice.tsx';
import { transactionsAddress } from './addresses.ts';
import { fetchTransactions } from './api.ts';
import { transactionColumns } from './transaction-columns.tsx';
import { useRows } from './use-rows.ts';

const reverseDialog = lazyScreen(() => import('../refunds/ReverseDialog.tsx').then((code) => code.ReverseDialog));
const batchMatch = lazyScreen(() =>
  import('../reconciliation/BatchReconciliation.tsx').then((code) => code.BatchReconciliation),
);
const NONE: BatchTransaction[] = [];

type Props = { terminalId: string; batchId: string; onChanged(): void };
type Asked = { payment: NonNullable<BatchTransaction['payment']>; reply: Reply };

/** All transactions of one batch; few enough to sort in the browser. */
export function TransactionTable({ terminalId, batchId, onChanged }: Props) {
  const load = useLoad(`${terminalId} ${batchId}`, 'Failed to fetch transactions', () =>
    fetchTransactions(terminalId, batchId),
  );
  const [reversing, setReversing] = useState<BatchTransaction | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
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
      {asked && (
        <ReversalNotice
          paymentId={asked.payment.id}
          number={asked.payment.invoice_number}
          reply={asked.reply}
          batchAt={(id) => transactionsAddress(terminalId, id)}
          onSettled={refresh}
          onClose={() => setAsked(null)}
        />
      )}
      <LoadFailure lead="Transactions could not be loaded." load={load} />
      <DataTable
        noun="transactions"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        loadingText="Loading transactions..."
        empty={<p>Nothing was paid in this batch.</p>}
      />
      {load.value && load.value.length > 0 && <Lazy of={batchMatch} props={{ terminalId, batchId }} />}
      {payment?.offer?.kind && (
        <Lazy
          of={reverseDialog}
          props={{
            payment,
            kind: payment.offer.kind,
            left: payment.offer.left,
            onDone: (reply: Reply) => {
              setReversing(null);
              setAsked({ payment, reply });
              refresh();
            },
            onCancel: () => setReversing(null),
          }}
        />
      )}
    </>
  );
}
