import { useEffect, useState } from 'react';
import type { ArticleKind, Revision } from '#shared/contracts/content/content';
import { call, type Detail, readDetail, readRevision, readRevisions } from '#site/islands/cms/api.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { formatMoment, formatWhen } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** The dialog that compares two texts, loaded on first use. */
export const compare = lazyScreen(() => import('./CompareDialog.tsx').then((code) => code.CompareDialog));

export const NOT_LOADED = 'The comparison could not be loaded. Check your connection, then try again.';

type Props = {
  kind: ArticleKind;
  id: string;
  version: number;
  isDirty: boolean;
  /** The text on the screen. */
  readNow(): Text;
  onRestored(article: Detail): void;
};
type Text = { title: string; content: string };
type Comparison = { earlier: Revision & Text; now: Text };

/**
 * All saved versions with author and time. Each can be compared with the text on the screen, or restored as the newest
 * version.
 */
export function HistoryPanel({ kind, id, version, isDirty, readNow, onRestored }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<Revision[]>([]);
  const [pending, setPending] = useState<Revision | null>(null);
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
    if (!pending) return;
    setBusy(true);
    const answer = await call(`${path}/${pending.version}/restore`, readDetail, { method: 'POST' });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure('');
    setPending(null);
    onRestored(answer.value);
  };

  const show = async (row: Revision) => {
    const loading = compare.load().catch(() => null);
    const answer = await call(`${path}/${row.version}`, readRevision);
    if (!answer.ok) return setFailure(answer.error.message);
    if (!(await loading)) return setFailure(NOT_LOADED);
    setFailure('');
    setComparison({ earlier: { ...row, ...answer.value }, now: readNow() });
  };
  const Compare = compare.loaded();

  return (
    <details className="card editor-panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {failure && !pending && (
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
                <button type="button" className="text-button" onClick={() => void show(row)}>
                  Compare<span className="sr-only"> the version of {formatMoment(row.savedAt)} with the text now</span>
                </button>
                <button type="button" className="text-button" onClick={() => setPending(row)}>
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
          right={{ name: 'Now', text: comparison.now }}
          onClose={() => setComparison(null)}
          onRestore={() => {
            setPending(comparison.earlier);
            setComparison(null);
          }}
        />
      )}
      {pending && (
        <Dialog
          title={`Restore the version of ${formatMoment(pending.savedAt)}?`}
          verb="Restore"
          isDestructive={isDirty}
          busy={isBusy}
          failure={failure || null}
          onConfirm={() => void restore()}
          onCancel={() => setPending(null)}
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
