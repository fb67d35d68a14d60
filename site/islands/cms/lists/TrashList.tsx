import { useCallback, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { ArticleKind } from '../../../../shared/contracts/content/content.ts';
import { Trashed } from '../../../../shared/contracts/content/content.ts';
import { readWith } from '../../ui/api/read-with.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { Button } from '../../ui/form/Button.tsx';
import { formatWhen } from '../../ui/format-moment.ts';
import { AppLink, navigate } from '../../ui/routing/router.tsx';
import { call } from '../api.ts';
import { readDetail } from '../editor/parse-response.ts';
import { texts } from '../texts.ts';

const readTrash = readWith(z.array(Trashed));

/** What was deleted within 30 days, with a way back. */
export function TrashList({ kind }: { kind: ArticleKind }) {
  const [rows, setRows] = useState<Trashed[] | null>(null);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState('');
  const noun = texts[kind].many;
  const load = useCallback(async () => {
    const answer = await call(`/api/cms/${noun}?view=trash`, readTrash);
    if (answer.ok) setRows(answer.value);
    setFailure(answer.ok ? '' : answer.error.message);
  }, [noun]);
  useEffect(() => {
    void load();
  }, [load]);
  const bringBack = async ({ id, title }: Trashed) => {
    setBusy(id);
    const answer = await call(`/api/cms/${noun}/${id}/bring-back`, readDetail, { method: 'POST' });
    setBusy('');
    if (!answer.ok) return setFailure(answer.error.message);
    toast(`Back as a draft: ${title}`);
    navigate(`/cms/${noun}/edit/${id}`);
  };
  return (
    <div className="list-page">
      <div className="list-head">
        <h1 tabIndex={-1}>Trash</h1>
        <span className="cms-push" />
        <AppLink className="button button-secondary" href={`/cms/${noun}`}>
          All {noun}
        </AppLink>
      </div>
      {failure && (
        <Banner
          tone="warn"
          role="alert"
          lead={texts[kind].fetchMany}
          actions={
            <button type="button" className="text-button" onClick={() => void load()}>
              Retry
            </button>
          }
        >
          {failure}
        </Banner>
      )}
      {rows === null && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {rows?.length === 0 && <p className="app-quiet">Nothing was deleted in the last 30 days.</p>}
      <ul className="cms-trash">
        {rows?.map((row) => (
          <li key={row.id}>
            <span>
              <strong>{row.title}</strong>
              <span className="cms-sub">Deleted {formatWhen(row.trashedAt)}</span>
            </span>
            <Button busy={busy === row.id} onClick={() => void bringBack(row)}>
              Bring back<span className="sr-only"> {row.title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
