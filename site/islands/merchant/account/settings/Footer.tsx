import { useState } from 'react';
import { hasRight } from '#site/islands/merchant/common/app-view.ts';
import { RightHolders } from '#site/islands/merchant/common/RequireRight.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { FooterText } from '#site/islands/merchant/preview/FooterText.tsx';

/** The setting for the text at the bottom of every printed invoice. */
export function FooterSetting({ load }: { load: LoadState<string> }) {
  const [saved, setSaved] = useState<string | null>(null);
  const text = saved ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="footer">
      <h2 id="footer">Footer text of invoices</h2>
      <LoadFailure lead="The footer text could not be loaded." load={load} />
      {text !== null && <FooterText text={text} canEdit={hasRight('administer')} onSaved={setSaved} />}
      {!hasRight('administer') && <RightHolders right="administer" action="change this" />}
    </section>
  );
}
