import { useEffect, useState } from 'react';
import type { ArticleKind, Revision } from '../../../../../shared/contracts/content/content.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { formatMoment, formatWhen } from '../../../ui/format-moment.ts';
import { call } from '../../api.ts';
import { type Detail, readDetail, readRevisions } from '../parse-response.ts';

type Props = {
  kind: ArticleKind;
  id: string;
  version: number;
  isDirty: boolean;
  onRestored(article: Detail): void;
};

/** All saves with author and time. Restoring one saves it as the newest version. */
export function HistoryPanel({ kind, id, version, isDirty, onRestored }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<Revision[]>([]);
  const [asked, setAsked] = useState<Revision | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const path = `/api/cms/${kind}s/${id}/revisions`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is a new list
  useEffect(() => {
    if (!isOpen) return;
    void call(path, readRevisions).then((answer) => {
      if (answer.ok) setRows(answer.value);
      setFailure(answer.ok ? '' : answer.error.message);
    });
  }, [isOpen, path, version]);

  const restore = async () => {
    if (!asked) return;
    setBusy(true);
    const answer = await call(`${path}/${asked.version}/restore`, readDetail, { method: 'POST' });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure('');
    setAsked(null);
    onRestored(answer.value);
  };

  return (
    <details className="card editor-panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {failure && !asked && <p className="app-quiet">{failure}</p>}
      <ol className="history">
        {rows.map((row) => (
          <li key={row.version}>
            <span>
              <time dateTime={row.savedAt} title={formatMoment(row.savedAt)}>
                {formatWhen(row.savedAt)}
              </time>{' '}
              {row.savedBy}
              <span className="cms-sub">
                {row.status === 'PUBLISHED' ? 'Published' : 'Draft'}: {row.title}
              </span>
            </span>
            {row.version === version ? (
              <span className="cms-sub">now</span>
            ) : (
              <button type="button" className="text-button" onClick={() => setAsked(row)}>
                Restore<span className="sr-only"> the version of {formatMoment(row.savedAt)}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
      {asked && (
        <Dialog
          title={`Restore the version of ${formatMoment(asked.savedAt)}?`}
          verb="Restore"
          destroys={isDirty}
          busy={isBusy}
          failure={failure || null}
          onConfirm={() => void restore()}
          onCancel={() => setAsked(null)}
        >
          <p>
            Its title, text and picture become the newest version; address and status stay as they are.
            {isDirty && ' What you have not saved is replaced.'}
          </p>
        </Dialog>
      )}
    </details>
  );
}
