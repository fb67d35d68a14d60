import { useState } from 'react';
import type { ArticleKind, PreviewReply } from '#shared/contracts/content/content';
import { call, readPreview } from '#site/islands/cms/api.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';

type Props = { kind: ArticleKind; id: string; isDraft: boolean; flush(): Promise<unknown> };

/** Opens a preview of the text as on the site. Anyone with its link can see it for an hour. */
export function PreviewButton({ kind, id, isDraft, flush }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [link, setLink] = useState<PreviewReply | null>(null);
  const [failure, setFailure] = useState('');
  const openPreview = async () => {
    setBusy(true);
    setFailure('');
    // Open the tab within the click handler: later, the browser would block it as a pop-up.
    const tab = window.open('about:blank', '_blank');
    await flush();
    const answer = await call(`/api/cms/${kind}s/${id}/preview`, readPreview, { method: 'POST' });
    setBusy(false);
    if (!answer.ok) {
      tab?.close();
      setFailure(id === 'new' && !isDraft ? 'There is nothing to show yet.' : answer.error.message);
      return;
    }
    setLink(answer.value);
    tab?.location.replace(answer.value.url);
  };
  const copy = (url: string) =>
    navigator.clipboard.writeText(url).then(
      () => toast('Link copied'),
      () => setFailure(`Your browser does not allow copying here: ${url}`),
    );
  return (
    <div className="editor-preview">
      <Button busy={isBusy} onClick={() => void openPreview()}>
        Preview
      </Button>
      {failure && <Banner tone="warn" lead={failure} onDismiss={() => setFailure('')} />}
      {link && (
        <Banner
          tone="note"
          lead={`The preview is open until ${formatTime(new Date(link.endsAt))}.`}
          onDismiss={() => setLink(null)}
          actions={
            <>
              <a className="text-button" href={link.url} target="_blank" rel="noreferrer">
                Open preview
              </a>
              <button type="button" className="text-button" onClick={() => void copy(link.url)}>
                Copy link
              </button>
            </>
          }
        />
      )}
    </div>
  );
}
