import { useCallback, useEffect, useState } from 'react';
import type { TokenStatus } from '../../../shared/contracts/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { DetailRows } from '../ui/DetailRows.tsx';
import { api, leave } from './api.ts';
import { formatTime } from './format-moment.ts';

type User = TokenStatus['data'];
type Load = { kind: 'loading' } | { kind: 'loaded'; user: User } | { kind: 'failed'; message: string };

export function UserInfo() {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const read = useCallback(async () => {
    const answer = await api.getUser();
    setLoad(answer.ok ? { kind: 'loaded', user: answer.value } : { kind: 'failed', message: answer.fault.message });
  }, []);
  useEffect(() => {
    void read();
  }, [read]);

  return (
    <div className="app-wide app-user">
      <h1 tabIndex={-1}>User Info</h1>
      <AccountBar onRefreshed={read} />
      {load.kind === 'failed' && (
        <Banner
          tone="warn"
          lead="The user information could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={() => void read()}>
              Retry
            </button>
          }
        >
          {load.message}
        </Banner>
      )}
      <section className="card" aria-label="User" aria-busy={load.kind === 'loading' || undefined}>
        {load.kind === 'loading' && (
          <p role="status" className="app-quiet">
            Loading...
          </p>
        )}
        {load.kind === 'failed' && <p className="app-quiet">No user</p>}
        {load.kind === 'loaded' && <DetailRows rows={rowsOf(load.user)} />}
      </section>
    </div>
  );
}

const rowsOf = ({ user, user_id, token_type, hub_domain, scopes }: User): [string, string][] => [
  ['User', user],
  ['User id', String(user_id)],
  ['Token type', token_type],
  ['Hub domain', hub_domain],
  ...scopes.map((scope, index): [string, string] => [`Scope ${index + 1}`, scope]),
];

const REFRESH_FAILED = 'Refresh token failed try again or logout and back in.';

type Refresh = { kind: 'idle' | 'busy' } | { kind: 'done'; at: Date } | { kind: 'failed'; message: string };

function AccountBar({ onRefreshed }: { onRefreshed(): Promise<void> }) {
  const [refresh, setRefresh] = useState<Refresh>({ kind: 'idle' });
  const onRefresh = async () => {
    setRefresh({ kind: 'busy' });
    const answer = await api.renew();
    if (!answer.ok) return setRefresh({ kind: 'failed', message: answer.fault.message });
    setRefresh({ kind: 'done', at: new Date() });
    await onRefreshed();
  };
  return (
    <section className="app-account" aria-label="Account">
      {refresh.kind === 'failed' && (
        <Banner tone="bad" lead={REFRESH_FAILED} onDismiss={() => setRefresh({ kind: 'idle' })}>
          {refresh.message}
        </Banner>
      )}
      <div className="actions">
        <Button busy={refresh.kind === 'busy'} onClick={() => void onRefresh()}>
          Refresh Access Token
        </Button>
        <Button kind="ghost" onClick={() => leave('/logout')}>
          Logout
        </Button>
        <p role="status" className="app-quiet">
          {refresh.kind === 'done' && `Access token refreshed at ${formatTime(refresh.at)}.`}
        </p>
      </div>
    </section>
  );
}
