import { useState } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { call, readDone } from '#site/islands/cms/api.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { dropLeft, type Left } from '../left-drafts.ts';

type Props = { kind: ArticleKind; id: string; left: Left[]; onShow(left: Left): void };

/** Unsaved text that no tab has open, one after the other, until each is shown or discarded. */
export function LeftBanner({ kind, id, left, onShow }: Props) {
  const [rest, setRest] = useState(left);
  const [one] = rest;
  if (!one) return null;
  const discard = () => {
    dropLeft(one);
    setRest(rest.slice(1));
    if (one.isOnServer) void call(`/api/cms/${kind}s/${id}/draft`, readDone, { method: 'DELETE' });
  };
  return (
    <Banner
      tone="note"
      lead={`There is more unsaved text, from ${formatWhen(one.savedAt)}.`}
      actions={
        <>
          <button type="button" className="text-button" onClick={() => onShow(one)}>
            Show it
          </button>
          <button type="button" className="text-button" onClick={discard}>
            Discard it
          </button>
        </>
      }
    >
      Another tab or device left it: {one.title.trim() || 'without a title'}
    </Banner>
  );
}
