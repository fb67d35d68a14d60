import { type ReactNode, useState } from 'react';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { api, leaveTo } from '../api/api.ts';

const REFRESH_FAILED_TEXT = 'Refresh token failed try again or logout and back in.';

type Refresh = { kind: 'idle' | 'busy' } | { kind: 'done'; at: Date } | { kind: 'failed'; message: string };

/** Buttons with which users can repair a broken session. `alert` shows the server's last message. */
export function AccountBar({ onRefreshed, alert }: { onRefreshed(): void; alert?: ReactNode }) {
  const [refresh, setRefresh] = useState<Refresh>({ kind: 'idle' });
  const onRefresh = async () => {
    setRefresh({ kind: 'busy' });
    const answer = await api.renew();
    if (!answer.ok) return setRefresh({ kind: 'failed', message: answer.error.message });
    setRefresh({ kind: 'done', at: new Date() });
    onRefreshed();
  };
  return (
    <section className="app-account" aria-label="Account">
      {alert}
      {refresh.kind === 'failed' && (
        <LateBanner tone="bad" lead={REFRESH_FAILED_TEXT} onDismiss={() => setRefresh({ kind: 'idle' })}>
          {refresh.message}
        </LateBanner>
      )}
      <div className="actions">
        <Button busy={refresh.kind === 'busy'} onClick={() => void onRefresh()}>
          Refresh Access Token
        </Button>
        <Button kind="ghost" onClick={() => leaveTo('/logout')}>
          Logout
        </Button>
        <p role="status" className="app-quiet">
          {refresh.kind === 'done' && `Access token refreshed at ${formatTime(refresh.at)}.`}
        </p>
      </div>
    </section>
  );
}
