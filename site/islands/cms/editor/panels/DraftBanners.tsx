import { type Ref, useState } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { type ArticleItem, call, readDone } from '#site/islands/cms/api.ts';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { dropLeftover, type Leftover } from '../leftover-drafts.ts';
import { COMPARISON_NOT_LOADED, compareDialog } from './HistoryPanel.tsx';

type ConflictProps = {
  theirs: ArticleItem;
  readMine(): { title: string; content: string };
  onMine(): void;
  onTheirs(): void;
  ref: Ref<HTMLDivElement>;
};

/** Another member saved first. Both texts are kept until the writer chooses one. */
export function ConflictBanner({ theirs, readMine, onMine, onTheirs, ref }: ConflictProps) {
  const [mine, setMine] = useState<{ title: string; content: string } | null>(null);
  const Compare = compareDialog.loaded();
  const showComparison = () =>
    compareDialog.load().then(
      () => setMine(readMine()),
      () => toast(COMPARISON_NOT_LOADED),
    );
  return (
    <>
      <Banner
        tone="warn"
        role="alert"
        ref={ref}
        lead="Someone else changed this. Your text is kept."
        actions={
          <>
            <button type="button" className="text-button" onClick={() => void showComparison()}>
              Compare
            </button>
            <button type="button" className="text-button" onClick={onMine}>
              Use mine
            </button>
            <button type="button" className="text-button" onClick={onTheirs}>
              Take theirs
            </button>
          </>
        }
      >
        {theirs.updatedBy || 'Someone'} saved version {theirs.version}, {formatWhen(theirs.updatedAt)}.
      </Banner>
      {mine && Compare && (
        <Compare
          title="Your text and theirs"
          left={{ name: 'Yours', text: mine }}
          right={{ name: 'Theirs', text: theirs }}
          onClose={() => setMine(null)}
        />
      )}
    </>
  );
}

type LeftoverProps = { kind: ArticleKind; id: string; leftovers: Leftover[]; onShow(leftover: Leftover): void };

/** Leftover drafts, one at a time, until each is shown or discarded. */
export function LeftoverBanner({ kind, id, leftovers, onShow }: LeftoverProps) {
  const [remainingDrafts, setRemainingDrafts] = useState(leftovers);
  const [draft] = remainingDrafts;
  if (!draft) return null;
  const deleteOnServer = async (): Promise<Answer<true>> =>
    draft.isOnServer
      ? call(`/api/cms/${kind}s/${id}/draft`, readDone, { method: 'DELETE' })
      : { ok: true, value: true };
  return (
    <Banner
      tone="note"
      lead={`There is more unsaved text, from ${formatWhen(draft.savedAt)}.`}
      actions={
        <>
          <button type="button" className="text-button" onClick={() => onShow(draft)}>
            Show it
          </button>
          <ConfirmedAction
            label="Discard it"
            title="Discard this text?"
            confirmLabel="Discard"
            isDestructive
            runAction={deleteOnServer}
            successText="Text discarded"
            onDone={() => {
              dropLeftover(draft);
              setRemainingDrafts(remainingDrafts.filter((leftover) => leftover !== draft));
            }}
          >
            <p>It cannot be restored.</p>
          </ConfirmedAction>
        </>
      }
    >
      Another tab or device left it: {draft.title.trim() || 'without a title'}
    </Banner>
  );
}
