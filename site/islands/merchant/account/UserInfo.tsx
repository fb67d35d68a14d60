import { useCallback, useEffect, useState } from 'react';
import type { TokenStatus } from '../../../../shared/contracts/session.ts';
import { DetailRows } from '../../ui/DetailRows.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { AppLink, usePath } from '../../ui/routing/router.tsx';
import { api } from '../api/api.ts';
import { AccountBar } from '../parts/AccountBar.tsx';
import { Lazy } from '../parts/Lazy.tsx';

const auditTrail = lazyScreen(() => import('./AuditTrail.tsx').then((code) => code.AuditTrail));

type User = TokenStatus['data'];
type Load = { kind: 'loading' } | { kind: 'loaded'; user: User } | { kind: 'failed'; message: string };

/** The user's screens; the audit trail is loaded from here, so that the first list does not carry its address. */
export const UserScreen = () => (usePath() === '/audit' ? <Lazy of={auditTrail} props={{}} /> : <UserInfo />);

function UserInfo() {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const read = useCallback(async () => {
    const answer = await api.getUser();
    setLoad(answer.ok ? { kind: 'loaded', user: answer.value } : { kind: 'failed', message: answer.error.message });
  }, []);
  useEffect(() => {
    void read();
  }, [read]);

  return (
    <div className="app-wide app-user">
      <h1 tabIndex={-1}>User Info</h1>
      <AccountBar onRefreshed={() => void read()} />
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
      {/* The rows would push it away from under the pointer. */}
      {load.kind !== 'loading' && (
        <p>
          <AppLink href="/audit">Audit trail</AppLink>
          <span className="app-quiet">: who did what in this account, for its administrators.</span>
        </p>
      )}
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
