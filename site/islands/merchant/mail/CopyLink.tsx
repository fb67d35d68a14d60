import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { copyLink } from './copy-link.ts';
import '#site/styles/parts/form/field.css';

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
