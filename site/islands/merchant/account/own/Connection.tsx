import { TokenStatus } from '#shared/contracts/staff/session';
import { operator } from '#shared/operator';
import { partners } from '#shared/partners';
import { api } from '#site/islands/merchant/api/api.ts';
import { AccountBar } from '#site/islands/merchant/common/AccountBar.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { DetailRows } from '#site/islands/ui/DetailRows.tsx';

type User = TokenStatus['data'];

const readUser = readWith(TokenStatus, ({ data }) => data);
export const fetchUser = () => api.call('/api/token/status/current', readUser);

/** Descriptions of the CRM's scopes in plain English. */
const scopeDescriptions: Record<string, string> = {
  oauth: 'see which account and person logged in',
  'crm.objects.companies.read': 'read companies',
  'crm.objects.contacts.read': 'read contacts',
  'crm.objects.invoices.read': 'read invoices',
  'e-commerce': 'read products',
  'crm.objects.line_items.read': 'read the line items of invoices',
  'crm.schemas.line_items.read': 'read the fields of line items',
  'crm.objects.commercepayments.read': 'read payment records',
  'crm.objects.commercepayments.write': 'record payments on their invoices',
};

/** The connection to the CRM: what the product may do there, the details of the token, and a button that renews it. */
export function Connection({ load }: { load: LoadState<User> }) {
  const user = load.failure ? null : load.value;
  return (
    <section className="card account-part" aria-labelledby="connection">
      <h2 id="connection">Connection to {partners.crm}</h2>
      <p className="app-quiet">
        {operator.name} stays connected to {partners.crm} automatically. Refresh only if a screen says that you are not
        logged in.
      </p>
      <LoadFailure lead="The user information could not be loaded." load={load} />
      {user && (
        <section className="account-inner" aria-labelledby="granted">
          <h3 id="granted">
            What {operator.name} may do in {partners.crm}
          </h3>
          <ul className="account-granted">
            {user.scopes.map((scope) => (
              <li key={scope}>{scopeDescriptions[scope] ?? scope}</li>
            ))}
          </ul>
          {user.scopes.length > 0 &&
            user.scopes.every((scope) => scope in scopeDescriptions && !scope.endsWith('.write')) && (
              <p className="app-quiet">It only reads, and changes nothing in {partners.crm}.</p>
            )}
        </section>
      )}
      <section className="account-inner app-user" aria-label="User">
        {user ? <DetailRows rows={rowsOf(user)} /> : <p className="app-quiet">No user</p>}
      </section>
      <AccountBar onRefreshed={load.reload} />
    </section>
  );
}

const rowsOf = ({ user, user_id, token_type, hub_domain, scopes }: User): [string, string][] => [
  ['User', user],
  ['User id', String(user_id)],
  ['Token type', token_type],
  ['Hub domain', hub_domain],
  ...scopes.map((scope, index): [string, string] => [`Scope ${index + 1}`, scope]),
];
