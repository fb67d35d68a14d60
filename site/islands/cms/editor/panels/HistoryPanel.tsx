import { useEffect, useState } from 'react';
import type { ArticleKind, Revision } from '#shared/contracts/content/content';
import { type ArticleDetail, call, readDetail, readRevision, readRevisions } from '#site/islands/cms/api.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { formatMoment, formatWhen } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** The dialog that compares two texts, loaded on first use. */
export const compareDialog = lazyScreen(() => import('./CompareDialog.tsx').then((code) => code.CompareDialog));

export const COMPARISON_NOT_LOADED = 'The comparison could not be loaded. Check your connection, then try again.';

type Props = {
  kind: ArticleKind;
  id: string;
  version: number;
  isDirty: boolean;
  /** The text on the screen. */
  readCurrentText(): Text;
  onRestored(article: ArticleDetail): void;
};
type Text = { title: string; content: string };
type Comparison = { earlier: Revision & Text; current: Text };

/**
 * All saved versions with author and time. Each can be compared with the text on the screen, or restored as the newest
 * version.
 */
export function HistoryPanel({ kind, id, version, isDirty, readCurrentText, onRestored }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<Revision[]>([]);
  const [versionToRestore, setVersionToRestore] = useState<Revision | null>(null);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const path = `/api/cms/${kind}s/${id}/revisions`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version reloads the list
  useEffect(() => {
    if (!isOpen) return;
    void call(path, readRevisions).then((answer) => {
      if (answer.ok) setRows(answer.value);
      setFailure(answer.ok ? '' : answer.error.message);
    });
  }, [isOpen, path, version]);

  const restore = async () => {
    if (!versionToRestore) return;
    setBusy(true);
    const answer = await call(`${path}/${versionToRestore.version}/restore`, readDetail, { method: 'POST' });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure('');
    setVersionToRestore(null);
    onRestored(answer.value);
  };

  const openComparison = async (row: Revision) => {
    const loading = compareDialog.load().catch(() => null);
    const answer = await call(`${path}/${row.version}`, readRevision);
    if (!answer.ok) return setFailure(answer.error.message);
    if (!(await loading)) return setFailure(COMPARISON_NOT_LOADED);
    setFailure('');
    setComparison({ earlier: { ...row, ...answer.value }, current: readCurrentText() });
  };
  const Compare = compareDialog.loaded();

  return (
    <details className="card editor-panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {failure && !versionToRestore && (
        <p role="alert" className="app-quiet">
          {failure}
        </p>
      )}
      <ol className="history">
        {rows.map((row) => (
          <li key={row.version}>
            <span className="history-save">
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
              <span className="history-acts">
                <button type="button" className="text-button" onClick={() => void openComparison(row)}>
                  Compare<span className="sr-only"> the version of {formatMoment(row.savedAt)} with the text now</span>
                </button>
                <button type="button" className="text-button" onClick={() => setVersionToRestore(row)}>
                  Restore<span className="sr-only"> the version of {formatMoment(row.savedAt)}</span>
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
      {comparison && Compare && (
        <Compare
          title={`The version of ${formatMoment(comparison.earlier.savedAt)}, and the text now`}
          left={{ name: 'Then', text: comparison.earlier }}
          right={{ name: 'Now', text: comparison.current }}
          onClose={() => setComparison(null)}
          onRestore={() => {
            setVersionToRestore(comparison.earlier);
            setComparison(null);
          }}
        />
      )}
      {versionToRestore && (
        <Dialog
          title={`Restore the version of ${formatMoment(versionToRestore.savedAt)}?`}
          confirmLabel="Restore"
          isDestructive={isDirty}
          busy={isBusy}
          failure={failure || null}
          onConfirm={() => void restore()}
          onCancel={() => setVersionToRestore(null)}
        >
          <p>
            Its title, text and image become the newest version. Address and status do not change.
            {isDirty && ' What you have not saved is replaced.'}
          </p>
        </Dialog>
      )}
    </details>
  );
}
