import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import '#site/styles/parts/form/field.css';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { removeToast, toast } from '#site/islands/ui/feedback/Toasts.tsx';

let lastToastId = 0;

/** Copies a link. Returns false if the browser denies access to the clipboard. */
export async function copyLink(url: string): Promise<boolean> {
  // The toast of an earlier click may no longer be true.
  removeToast(lastToastId);
  try {
    await navigator.clipboard.writeText(url);
    lastToastId = toast('Payment link copied.');
    return true;
  } catch {
    return false;
  }
}

/** A button that copies a link. If the browser denies access to the clipboard, it shows the URL for manual copying. */
export function CopyLink({ url }: { url: string }) {
  const [isRefused, setRefused] = useState(false);
  return (
    <>
      <Button kind="secondary" onClick={async () => setRefused(!(await copyLink(url)))}>
        Copy link
      </Button>
      {isRefused && (
        <LateBanner
          tone="note"
          lead="Your browser does not allow copying here. Please copy the address yourself."
          actions={
            <textarea
              className="input input-tall"
              rows={3}
              readOnly
              value={url}
              aria-label="Payment link"
              onFocus={(event) => event.target.select()}
            />
          }
          onDismiss={() => setRefused(false)}
        />
      )}
    </>
  );
}
