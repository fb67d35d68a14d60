import { useEffect } from 'react';
import type { Batch } from '#shared/contracts/payments/batches';
import type { Device } from '#shared/contracts/staff/session';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink, setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { Lazy } from '../common/Lazy.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { fetchBatches, fetchTerminals, transactionsAddress } from './api.ts';
import { BatchStatus, netOf } from './BatchCards.tsx';
import { ExportBatchButton } from './SaveBatch.tsx';
import '#site/styles/areas/merchant/money/batches.css';
import '#site/styles/parts/form/field.css';

const transactionTable = lazyScreen(() => import('./TransactionTable.tsx').then((code) => code.TransactionTable));

/** The transactions of one batch of a terminal. The URL names the terminal and the batch. */
export function Transactions() {
  const search = new URLSearchParams(useSearch());
  const devices = useLoad('devices', 'Failed to fetch devices', fetchTerminals);
  useEffect(() => preload(transactionTable), []);
  const requestedId = search.get('terminal');
  const device = devices.value?.find(({ terminal_id }) => terminal_id === requestedId) ?? devices.value?.[0];
  return (
    <div className="batches">
      <AppLink href="/batches" className="batches-back">
        <Icon name="previous" size="sm" />
        Batches Dashboard
      </AppLink>
      <h2>{device ? `Transactions of ${device.terminal_name}` : 'Transactions'}</h2>
      <LoadFailure lead="The terminals could not be loaded." load={devices} />
      {!devices.value && !devices.failure && (
        <p role="status" className="app-quiet">
          Loading terminals...
        </p>
      )}
      {devices.value && !device && <p>No devices found</p>}
      {device && <TerminalTransactions key={device.terminal_id} device={device} requestedId={search.get('batch')} />}
    </div>
  );
}

function TerminalTransactions({ device, requestedId }: { device: Device; requestedId: string | null }) {
  const { terminal_id: terminalId } = device;
  const batches = useLoad(terminalId, 'Failed to fetch batches', () => fetchBatches(terminalId));
  const batch = batches.value?.find(({ id }) => id === requestedId) ?? batches.value?.[0];
  const selectBatch = (id: string, replace = false) =>
    setSearch(transactionsAddress(terminalId, id).split('?')[1] ?? '', { replace });
  return (
    <>
      <LoadFailure lead="Batches could not be loaded." load={batches} />
      {!batches.value && !batches.failure && (
        <p role="status" className="device-loading">
          <span className="spinner" aria-hidden="true" /> Loading batches...
        </p>
      )}
      {batches.value && !batch && <p>No batches found.</p>}
      {batches.value && batch && (
        <>
          <BatchPicker terminalId={terminalId} batches={batches.value} batch={batch} onChoose={selectBatch} />
          <Lazy
            key={batch.id}
            screen={transactionTable}
            props={{
              terminalId,
              batchId: batch.id,
              onChanged: () => {
                // A refund may open a newer batch, so the URL must name this one to keep it selected.
                selectBatch(batch.id, true);
                batches.reload();
              },
            }}
          />
        </>
      )}
    </>
  );
}

const labelOf = (batch: Batch) =>
  batch['date-opened'] ? `${batch.id}, opened ${formatMoment(batch['date-opened'])}` : batch.id;

type PickerProps = { terminalId: string; batches: Batch[]; batch: Batch; onChoose(id: string): void };

function BatchPicker({ terminalId, batches, batch, onChoose }: PickerProps) {
  return (
    <div className="batch-pick">
      <div className="field">
        <label className="label" htmlFor="batch-pick">
          Batch
        </label>
        <Select id="batch-pick" value={batch.id} onChange={({ target }) => onChoose(target.value)}>
          {batches.map((option) => (
            <option key={option.id} value={option.id}>
              {labelOf(option)}
            </option>
          ))}
        </Select>
      </div>
      <p className="batch-facts">
        <BatchStatus status={batch.status} />
        <span>
          Net <strong className="money">{netOf(batch)}</strong>
        </span>
        {batch['confirmation-code'] && (
          <span>
            Confirmation <span className="batch-code">{batch['confirmation-code']}</span>
          </span>
        )}
      </p>
      {batch.status === 'CLOSED' && <ExportBatchButton terminalId={terminalId} batchId={batch.id} />}
    </div>
  );
}
