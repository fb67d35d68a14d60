import { useState } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { call, readDone } from '../api.ts';
import { texts } from '../texts.ts';

type Props = {
  kind: ArticleKind;
  item: { id: string; title: string; status: string };
  onDeleted(): void;
  className?: string;
  label?: string;
};

/** Deletes an article after a confirmation, which says when a published one leaves the site. */
export function DeleteArticle({
  kind,
  item,
  onDeleted,
  className = 'text-button cms-delete',
  label = 'Delete',
}: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await call(`/api/cms/${kind}s/${item.id}`, readDone, { method: 'DELETE' });
    setBusy(false);
    // A 404 means that another member deleted it first, which is fine.
    if (!answer.ok && answer.error.status !== 404) {
      return setFailure(`${texts[kind].remove}. ${answer.error.message}`);
    }
    setConfirming(false);
    toast(`Deleted: ${item.title}`);
    onDeleted();
  };
  return (
    <>
      <button type="button" className={className} onClick={() => setConfirming(true)}>
        {label}
        {label === 'Delete' && <span className="sr-only"> {item.title}</span>}
      </button>
      {isConfirming && (
        <Dialog
          title={texts[kind].deleteQuestion}
          confirmLabel={`Delete ${kind}`}
          isDestructive
          busy={isBusy}
          failure={failure}
          onConfirm={() => void remove()}
          onCancel={() => setConfirming(false)}
        >
          <p>
            <strong>{item.title}</strong>
          </p>
          <p>
            {item.status === 'PUBLISHED' ? 'It leaves the public site with the next build. ' : ''}
            It stays in the trash for 30 days.
          </p>
        </Dialog>
      )}
    </>
  );
}
