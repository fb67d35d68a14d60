import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { CloseBatchReply, ClosingReply } from '#shared/contracts/payments/batches';
import type { Device } from '#shared/contracts/staff/session';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { LoadFailure, logFailure, useLoad } from '../common/use-load.tsx';
import { fetchBatches, fetchClosing, transactionsAddress } from './api.ts';
import { BatchCards } from './BatchCards.tsx';
import { ExportBatchButton } from './SaveBatch.tsx';

const closeDialog = lazyScreen(() => import('./CloseBatchDialog.tsx').then((code) => code.CloseBatchDialog));

/** The delay (ms) after closing a batch until the terminals are reloaded. */
export const RELOAD_MS = 2000;

type CloseResult = { reply: CloseBatchReply; at: number };

type Props = {
  device: Device;
  /** Increases when batches were closed elsewhere on the screen or money has moved, which reloads the batches. */
  revision: number;
  reloadTerminals(): void;
};

export function TerminalSection({ device, revision, reloadTerminals: reloadDevices }: Props) {
  const { terminal_id: terminalId, terminal_name: name } = device;
  const id = useId();
  const batches = useLoad(terminalId, 'Failed to fetch batches', () => fetchBatches(terminalId));
  const onRevision = useEffectEvent(batches.reload);
  useEffect(() => {
    if (revision > 0) onRevision();
  }, [revision]);
  const [closingToConfirm, setClosingToConfirm] = useState<ClosingReply | 'reading' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [hasNoOpenBatch, setHasNoOpenBatch] = useState(false);
  const [closeResult, setCloseResult] = useState<CloseResult | null>(null);
  useEffect(() => preload(closeDialog), []);

  const onReload = useEffectEvent(() => {
    reloadDevices();
    batches.reload();
  });
  useEffect(() => {
    if (!closeResult) return;
    const timer = setTimeout(onReload, RELOAD_MS);
    return () => clearTimeout(timer);
  }, [closeResult]);

  const showNoOpenBatch = () => {
    setClosingToConfirm(null);
    setHasNoOpenBatch(true);
    // If a batch was opened after the list was loaded, the next click can close it.
    batches.reload();
  };
  const prepareClose = async () => {
    setFailure(null);
    setHasNoOpenBatch(false);
    if (batches.value?.every(({ status }) => status === 'CLOSED')) return showNoOpenBatch();
    setClosingToConfirm('reading');
    const answer = await fetchClosing(terminalId);
    if (answer.ok) return answer.value.batch ? setClosingToConfirm(answer.value) : showNoOpenBatch();
    setClosingToConfirm(null);
    logFailure('Failed to close batch', answer.error);
    setFailure(answer.error.message);
  };

  return (
    <section className="device" aria-labelledby={id}>
      <div className="device-head">
        <h3 id={id}>
          <AppLink href={transactionsAddress(terminalId)}>{name}</AppLink>
        </h3>
        <div className="device-actions">
          <AppLink className="button button-secondary" href={transactionsAddress(terminalId)}>
            More Details<span className="sr-only"> of {name}</span>
          </AppLink>
          {hasRight('close-batches') && (
            <Button busy={closingToConfirm === 'reading'} onClick={() => void prepareClose()}>
              Close Batch<span className="sr-only"> on {name}</span>
            </Button>
          )}
        </div>
      </div>
      {failure && (
        <LateBanner tone="bad" lead="Failed to close batch" onDismiss={() => setFailure(null)}>
          {failure}
        </LateBanner>
      )}
      {hasNoOpenBatch && (
        <LateBanner tone="note" lead="No open batch on this terminal" onDismiss={() => setHasNoOpenBatch(false)}>
          {name} has nothing to close.
        </LateBanner>
      )}
      {closeResult && (
        <ClosedNotice terminalId={terminalId} result={closeResult} onClose={() => setCloseResult(null)} />
      )}
      <LoadFailure lead="Batches could not be loaded." load={batches} />
      {!batches.failure && !batches.value && (
        <p role="status" className="device-loading">
          <span className="spinner" aria-hidden="true" /> Loading batches...
        </p>
      )}
      {batches.value?.length === 0 && <p>No batches found.</p>}
      {batches.value && batches.value.length > 0 && <BatchCards name={name} batches={batches.value} />}
      {closingToConfirm && closingToConfirm !== 'reading' && closingToConfirm.batch && (
        <Lazy
          screen={closeDialog}
          props={{
            device,
            closing: { ...closingToConfirm, batch: closingToConfirm.batch },
            onClosed: (reply: CloseBatchReply) => {
              setClosingToConfirm(null);
              setCloseResult({ reply, at: Date.now() });
            },
            onNoOpenBatch: showNoOpenBatch,
            onCancel: () => setClosingToConfirm(null),
          }}
        />
      )}
    </section>
  );
}

type NoticeProps = { terminalId: string; result: CloseResult; onClose(): void };

/** The result of closing a batch, with a link to download the batch. It stays until it is dismissed. */
function ClosedNotice({ terminalId, result: { reply, at }, onClose }: NoticeProps) {
  const { status, message, batch } = reply;
  if (status !== 'closed') {
    return (
      <LateBanner tone={status === 'unknown' ? 'warn' : 'note'} lead={message} onDismiss={onClose}>
        This list updates automatically. Last update at {formatTime(new Date(at))}.
      </LateBanner>
    );
  }
  return (
    <LateBanner
      tone="ok"
      lead={message}
      actions={
        <>
          <AppLink className="button button-secondary" href="/takings">
            Card takings
          </AppLink>
          {batch && <ExportBatchButton terminalId={terminalId} batchId={batch.id} />}
        </>
      }
      onDismiss={onClose}
    />
  );
}
