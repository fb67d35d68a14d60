import { useCallback, useEffect, useState } from 'react';
import {
  type NoticeChoice,
  PaymentNotices as Own,
  type PaymentNoticesBody,
} from '#shared/contracts/staff/account-settings';
import { TokenStatus } from '#shared/contracts/staff/session';
import { partners } from '#shared/partners';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { DetailRows } from '#site/islands/ui/DetailRows.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { api, sendJson } from '../api/api.ts';
import { AccountBar } from '../parts/AccountBar.tsx';
import { LoadFailure, useLoad } from '../parts/use-load.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import '#site/styles/parts/form/switch.css';

const PATH = '/api/payment-notices';
const read = readWith(Own);
const fetchOwn = () => api.call(PATH, read);
const saveOwn = (how: NoticeChoice) => api.call(PATH, read, sendJson<PaymentNoticesBody>('PUT', { how }));

const choices: [NoticeChoice, string, string][] = [
  ['never', 'Never', 'You get no email about paid links.'],
  ['at-once', 'At once', 'You get an email about each link that is paid.'],
  ['daily', 'Once a day', 'You get an email at 8:00 about the day before.'],
];

/** The logged-in person's own setting for mails about paid links; no one else sees it. */
export function PaymentNotices() {
  const load = useLoad('payment-notices', 'Failed to fetch which emails you get', fetchOwn);
  const [saved, setSaved] = useState<Own | null>(null);
  const [failure, setFailure] = useState('');
  const [isSaving, setSaving] = useState(false);
  const own = saved ?? load.value;
  const choose = async (how: NoticeChoice) => {
    setSaving(true);
    setFailure('');
    const answer = await saveOwn(how);
    setSaving(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setSaved(answer.value);
    toast(wordsOf(answer.value.how));
  };
  const hasAddress = own !== null && own.to !== '';
  return (
    <section
      className="card account-part"
      aria-labelledby="payment-notices"
      aria-busy={(!own && !load.failure) || isSaving}
    >
      <h2 id="payment-notices">Email me when a payment link is paid</h2>
      <LoadFailure lead="Which emails you get could not be loaded." load={load} />
      {failure && (
        <Banner tone="warn" lead="Your choice was not saved.">
          {failure}
        </Banner>
      )}
      <fieldset className="switch" aria-label="Email me when a payment link is paid">
        {choices.map(([how, name]) => (
          <button
            key={how}
            type="button"
            aria-pressed={own?.how === how}
            disabled={!hasAddress || isSaving}
            onClick={() => void choose(how)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <p className="app-quiet">
        {own ? (hasAddress ? `To ${own.to}. ` : 'We do not know your address.') : 'Loading...'}
        {hasAddress && wordsOf(own.how)}
      </p>
    </section>
  );
}

const wordsOf = (how: NoticeChoice): string => choices.find(([choice]) => choice === how)?.[2] ?? '';

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

/** The CRM's scopes in plain words. */
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
