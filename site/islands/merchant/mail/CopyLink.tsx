import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import '#site/styles/parts/form/field.css';
import { dropToast, toast } from '#site/islands/ui/feedback/Toasts.tsx';

let said = 0;

/** Answers whether the browser let it. */
export async function copyLink(url: string): Promise<boolean> {
  // What was said of an earlier press may not be true of this one.
  dropToast(said);
  try {
    await navigator.clipboard.writeText(url);
    said = toast('Pay link copied.');
    return true;
  } catch {
    return false;
  }
}

/** If the browser refuses access to the clipboard, shows all of the address, to be copied by hand. */
export function CopyLink({ url }: { url: string }) {
  const [isRefused, setRefused] = useState(false);
  return (
    <>
      <Button kind="secondary" onClick={async () => setRefused(!(await copyLink(url)))}>
        Copy link
      </Button>
      {isRefused && (
        <div className="field">
          <label className="label" htmlFor="pay-link">
            Pay link
          </label>
          <span className="hint" id="pay-link-hint">
            Your browser does not let this page copy. Copy the address yourself.
          </span>
          <textarea
            id="pay-link"
            className="input input-tall"
            rows={3}
            readOnly
            value={url}
            aria-describedby="pay-link-hint"
            onFocus={(event) => event.target.select()}
          />
        </div>
      )}
    </>
  );
}
