import { useState } from 'react';
import type { ArchiveStatus } from '#shared/contracts/staff/archive-and-closing';
import { LoadFailure, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { saveFile } from '#site/islands/ui/api/save-file.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { AccountFrame, Columns } from '../AccountFrame.tsx';
import { downloadArchive, fetchArchiveStatus, requestArchive } from '../api.ts';
import { AccountClosing } from './Closing.tsx';
import '#site/styles/parts/feedback/progress.css';

const POLL_MS = 1500;
const MEGABYTE = 1_000_000;

const formatSize = (bytes: number) =>
  bytes < MEGABYTE ? 'less than 1 MB' : `${Math.round(bytes / MEGABYTE).toLocaleString('en-US')} MB`;

/** Requests the archive of all records, shows its progress, and saves it as a file. */
export function ArchiveDownload() {
  const load = useLoad('archive', 'Failed to fetch the download', fetchArchiveStatus);
  const [updated, setUpdated] = useState<ArchiveStatus | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [bytes, setBytes] = useState(0);
  const [failure, setFailure] = useState<string>();
  const status = updated ?? load.value;

  const update = (answer: Answer<ArchiveStatus>) => {
    if (answer.ok) setUpdated(answer.value);
    return answer.ok;
  };
  usePoll(async () => update(await fetchArchiveStatus()), status?.state === 'making' ? POLL_MS : null);

  const runCall = async (call: () => Promise<Answer<unknown>>) => {
    setBusy(true);
    setFailure(undefined);
    const answer = await call();
    setBusy(false);
    if (!answer.ok) setFailure(answer.error.message);
  };
  const request = () =>
    runCall(async () => {
      const answer = await requestArchive();
      update(answer);
      return answer;
    });
  const save = (ready: ArchiveStatus) =>
    runCall(async () => {
      setBytes(0);
      const answer = await downloadArchive(ready, setBytes);
      if (answer.ok) saveFile(answer.value, `records-${(ready.ready_at ?? '').slice(0, 10)}.zip`);
      return answer;
    });

  return (
    <section className="card account-part" aria-labelledby="download">
      <h2 id="download">Download everything</h2>
      <p>
        Invoices, customers, payments, refunds, mails, signatures, receipts and the audit trail, with a list of what is
        in it. It contains patient data: store it as safely as your books. Links and passwords are not included.
      </p>
      <LoadFailure lead="The download could not be loaded." load={load} />
      {status?.state === 'making' && <Progress status={status} />}
      {status?.state === 'ready' && (
        <p>
          Made {formatMoment(status.ready_at ?? '')}, {formatSize(status.bytes)}. It is available until{' '}
          {formatMoment(status.ends_at ?? '')}.
        </p>
      )}
      <FieldError id="download-error" text={failure} />
      {status?.state !== 'making' && !(load.failure && !status) && (
        <div className="account-actions">
          {status?.state === 'ready' && (
            <Button kind="primary" busy={isBusy} onClick={() => void save(status)}>
              Download the file
            </Button>
          )}
          <Button busy={isBusy} disabled={!status} onClick={() => void request()}>
            {status?.state === 'ready' ? 'Make a new one' : 'Download everything'}
          </Button>
        </div>
      )}
      {isBusy && bytes > 0 && status && (
        <div className="progress">
          <progress value={bytes} max={status.bytes} aria-label="Fetched so far" />
          <p>
            {formatSize(bytes)} of {formatSize(status.bytes)}
          </p>
        </div>
      )}
    </section>
  );
}

function Progress({ status: { done, total } }: { status: ArchiveStatus }) {
  const percent = total === 0 ? 0 : Math.min(100, Math.round((100 * done) / total));
  return (
    <div className="progress">
      <p role="status">Your records are being collected. You may leave this page.</p>
      <progress value={percent} max={100} aria-label="Collected so far" />
      <p>{percent} %</p>
    </div>
  );
}

/** The page for downloading the account's records and closing the account. */
export const Records = () => (
  <AccountFrame title="Records and closing" right="administer">
    <Columns first={<ArchiveDownload />} second={<AccountClosing />} />
  </AccountFrame>
);
