import { useState } from 'react';
import { Button } from '../../ui/form/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { copyLink } from './copy-link.ts';

/** If the browser refuses access to the clipboard, shows the address to be copied by hand. */
export function CopyLink({ url }: { url: string }) {
  const [isRefused, setRefused] = useState(false);
  return (
    <>
      <Button kind="secondary" onClick={async () => setRefused(!(await copyLink(url)))}>
        Copy link
      </Button>
      {isRefused && (
        <Field
          id="pay-link"
          label="Pay link"
          hint="Your browser does not let this page copy. Copy the address yourself."
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
        />
      )}
    </>
  );
}
