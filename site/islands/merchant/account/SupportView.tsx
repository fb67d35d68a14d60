import { useState } from 'react';
import { SupportViewReply } from '#shared/contracts/support-view';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { api } from '../api/api.ts';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { useLoad } from '../parts/use-load.ts';

const readView = readWith(SupportViewReply);
const ask = (method = 'GET') => api.call('/api/support-view', readView, { method });

/** An administrator lets the operator look at the clinic for an hour, and ends that. */
export function SupportView({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const load = useLoad('support-view', 'whether support may look', ask);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const view = load.value;
  const change = async (method: 'POST' | 'DELETE') => {
    setBusy(true);
    const answer = await ask(method);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure(null);
    // The line above each page is the server's.
    window.location.reload();
  };
  if (view?.is_support) return null;
  return (
    <section className="card" aria-labelledby="support-view">
      <Heading id="support-view">Let support look</Heading>
      <p>
        Support then sees this account as you do, for an hour, and can change nothing. Both of you have it in the audit
        trail.
      </p>
      <LoadFailure lead="This could not be loaded." load={load} />
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure(null)} />}
      {view?.ends_at && <p role="status">Support may look until {formatTime(new Date(view.ends_at))}.</p>}
      {view?.may_change &&
        (view.ends_at ? (
          <Button kind="bad" busy={isBusy} onClick={() => void change('DELETE')}>
            End it now
          </Button>
        ) : (
          <Button busy={isBusy} onClick={() => void change('POST')}>
            Let support look for an hour
          </Button>
        ))}
      {view && !view.may_change && <p className="app-quiet">An administrator of this account can allow and end it.</p>}
    </section>
  );
}
