import { useCallback, useEffect, useState } from 'react';
import { TokenStatus } from '#shared/contracts/session';
import { partners } from '#shared/partners';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { DetailRows } from '#site/islands/ui/DetailRows.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { api } from '../api/api.ts';
import { AccountBar } from '../parts/AccountBar.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { PaymentNotices } from './PaymentNotices.tsx';

type User = TokenStatus['data'];

const readUser = readWith(TokenStatus, ({ data }) => data);

type Load = { kind: 'loading' } | { kind: 'loaded'; user: User } | { kind: 'failed'; message: string };

export function UserInfo() {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const read = useCallback(async () => {
    const answer = await api.call('/api/token/status/current', readUser);
    setLoad(answer.ok ? { kind: 'loaded', user: answer.value } : { kind: 'failed', message: answer.error.message });
  }, []);
  useEffect(() => {
    void read();
  }, [read]);

  return (
    <AccountFrame title="User Info">
      <AccountBar onRefreshed={() => void read()} />
      <p className="app-quiet">
        Tillway stays connected to {partners.crm} by itself. Refresh only where a screen says that you are not logged
        in.
      </p>
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
      <section className="card app-user" aria-label="User" aria-busy={load.kind === 'loading' || undefined}>
        {load.kind === 'loading' && (
          <p role="status" className="app-quiet">
            Loading...
          </p>
        )}
        {load.kind === 'failed' && <p className="app-quiet">No user</p>}
        {load.kind === 'loaded' && <DetailRows rows={rowsOf(load.user)} />}
      </section>
      {load.kind === 'loaded' && <PaymentNotices />}
      {load.kind === 'loaded' && <Granted scopes={load.user.scopes} />}
    </AccountFrame>
  );
}

/** What a scope of the CRM lets us do, in words. */
const scopeWords: Record<string, string> = {
  oauth: 'know which account and person logged in',
  'crm.objects.companies.read': 'read companies',
  'crm.objects.contacts.read': 'read contacts',
  'crm.objects.invoices.read': 'read invoices',
  'e-commerce': 'read products and the like',
  'crm.objects.line_items.read': 'read the lines of invoices',
  'crm.schemas.line_items.read': 'read which fields such a line has',
  'crm.objects.commercepayments.read': 'read records of payments',
  'crm.objects.commercepayments.write': 'record payments with their invoices',
};

const Granted = ({ scopes }: { scopes: string[] }) => (
  <section className="card account-part" aria-labelledby="granted">
    <h2 id="granted">What {partners.crm} lets Tillway do</h2>
    <ul className="account-granted">
      {scopes.map((scope) => (
        <li key={scope}>{scopeWords[scope] ?? `what it calls ${scope}`}</li>
      ))}
    </ul>
    {scopes.length > 0 && scopes.every((scope) => scope in scopeWords && !scope.endsWith('.write')) && (
      <p className="app-quiet">It reads, and changes nothing in {partners.crm}.</p>
    )}
  </section>
);

const rowsOf = ({ user, user_id, token_type, hub_domain, scopes }: User): [string, string][] => [
  ['User', user],
  ['User id', String(user_id)],
  ['Token type', token_type],
  ['Hub domain', hub_domain],
  ...scopes.map((scope, index): [string, string] => [`Scope ${index + 1}`, scope]),
];
