import { jsonAnswer } from '../answers.ts';
import { expiredCredentials, internalError, noCredentials, noSuchPath, objectNotFound } from '../crm/problems.ts';
import { type CrmApp, createTokens } from '../crm/tokens.ts';
import type { VendorModel, VendorStep, VendorWorld, WireAnswer, WireRequest } from '../vendor.ts';
import { type CrmAccount, createAccount, KINDS, type Kind } from './crm-account.ts';

/** Response time of the CRM (ms). */
const ANSWER_MS = 60;
/** Request limit of one app for one account in ten seconds; searches have a separate limit and no headers. */
const LIMIT = { max: 110, windowMs: 10_000 };

type Search = {
  filterGroups: { filters: { propertyName: string; operator: 'GTE' | 'GT' | 'EQ'; value: string }[] }[];
  sorts: { direction: 'ASCENDING' | 'DESCENDING' }[];
  properties: string[];
  limit: number;
};
type Batch = { inputs: { id: string }[]; properties?: string[] };

export type CrmOfDay = ReturnType<typeof createCrmOfDay>;

/** HubSpot as the CRM sync and payments use it, for many accounts at once. */
export function createCrmOfDay(world: VendorWorld, { baseUrl, ...app }: CrmApp & { baseUrl: string }) {
  const accounts = new Map<number, CrmAccount>();
  const tokens = createTokens(world, app);
  const { host } = new URL(baseUrl);
  const windows = new Map<number, { from: number; calls: number }>();
  const counts = { calls: 0, max: 0 };
  let downUntil = 0;

  /** Counts a request and returns how many are left in this window. */
  function count(accountId: number): number {
    const from = world.now() - (world.now() % LIMIT.windowMs);
    const stored = windows.get(accountId);
    const window = stored?.from === from ? stored : { from, calls: 0 };
    window.calls += 1;
    windows.set(accountId, window);
    counts.max = Math.max(counts.max, window.calls);
    return Math.max(0, LIMIT.max - window.calls);
  }

  function answer({ method, url, headers, body }: WireRequest): WireAnswer {
    const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const access = token ? tokens.findAccess(token) : undefined;
    const account = access && accounts.get(access.accountId);
    if (!access || !account) return noCredentials();
    if (access.expiresAt <= world.now()) return expiredCredentials(access.expiresAt, world.now());
    const remaining = count(access.accountId);
    const path = url.pathname.split('/').slice(1);
    const limit = {
      'x-hubspot-ratelimit-max': String(LIMIT.max),
      'x-hubspot-ratelimit-remaining': String(remaining),
      'x-hubspot-ratelimit-interval-milliseconds': String(LIMIT.windowMs),
    };
    const answerWith = (body: unknown) => jsonAnswer(200, body, limit);
    if (path[1] === 'associations') return answerWith(links(account, path[4], JSON.parse(body) as Batch));
    const kind = KINDS.find((candidate) => candidate === path[3]);
    if (path[1] !== 'objects' || !kind) return noSuchPath();
    if (method === 'GET' && path[4] === undefined) return answerWith(list(account, kind, url.searchParams));
    if (method === 'GET') return single(account, kind, path[4] ?? '', url.searchParams, limit);
    if (path[4] === 'search') return jsonAnswer(200, search(account, kind, JSON.parse(body) as Search));
    return answerWith(read(account, kind, JSON.parse(body) as Batch));
  }

  return {
    ...({
      serves: (url) => url.host === host,
      receive(request): VendorStep {
        counts.calls += 1;
        const isTokens = request.url.pathname.endsWith('/token');
        const work = isTokens ? () => tokens.redeem(request.body) : () => answer(request);
        return { afterMs: ANSWER_MS, run: () => (world.now() < downUntil ? internalError() : work()) };
      },
    } satisfies VendorModel),
    counts,
    add(accountId: number, size: number, since: number) {
      const account = createAccount(accountId, size, since);
      accounts.set(accountId, account);
      return account;
    },
    connect: (accountId: number) => tokens.connect(accountId, { rotates: true }),
    disconnect: tokens.disconnect,
    /** Calls with a refresh token that was already used. */
    revokedUses: tokens.revokedUses,
    /** Responds only with errors until this time (UTC ms). */
    setDownUntil(until: number) {
      downUntil = until;
    },
  };
}

const namesOf = (query: URLSearchParams) => query.getAll('properties').flatMap((value) => value.split(','));

function inlineAssociations(account: CrmAccount, kind: Kind, n: number) {
  const contact = kind === 'invoices' ? account.contactOf(n) : n;
  const company = { id: account.idOf('companies', account.companyOf(contact)), type: `${kind}_to_company` };
  if (kind === 'companies') return {};
  const person = { id: account.idOf('contacts', contact), type: 'invoice_to_contact' };
  const companies = { results: [company] };
  return { associations: kind === 'contacts' ? { companies } : { companies, contacts: { results: [person] } } };
}

function list(account: CrmAccount, kind: Kind, query: URLSearchParams) {
  if (query.get('archived') === 'true') return { results: [] };
  const after = query.get('after');
  const from = after === null ? 0 : (account.numberOf(kind, after) ?? 0) + 1;
  const to = Math.min(account.counts[kind], from + Number(query.get('limit')));
  const names = namesOf(query);
  const results = Array.from({ length: to - from }, (_, index) => ({
    ...account.record(kind, from + index, names),
    ...inlineAssociations(account, kind, from + index),
  }));
  const isLast = to >= account.counts[kind];
  return { results, ...(isLast ? {} : { paging: { next: { after: account.idOf(kind, to - 1) } } }) };
}

function single(account: CrmAccount, kind: Kind, id: string, query: URLSearchParams, limit: Record<string, string>) {
  const n = account.numberOf(kind, decodeURIComponent(id));
  return n === null ? objectNotFound(id) : jsonAnswer(200, account.record(kind, n, namesOf(query)), limit);
}

function search(account: CrmAccount, kind: Kind, { filterGroups, sorts, properties, limit }: Search) {
  const filters = filterGroups[0]?.filters ?? [];
  const [first] = filters;
  const total = account.counts[kind];
  if (!first) {
    const isNewestFirst = sorts[0]?.direction === 'DESCENDING';
    const count = Math.min(total, limit);
    const numbers = Array.from({ length: count }, (_, index) => (isNewestFirst ? total - 1 - index : index));
    return { total, results: numbers.map((n) => account.record(kind, n, properties)) };
  }
  const since = Number(first.value);
  const afterId = Number(filters[1]?.value ?? 0);
  const isMatch = (n: number) =>
    first.operator !== 'EQ' || (account.changedAt(kind, n) === since && Number(account.idOf(kind, n)) > afterId);
  const numbers = account.changedSince(kind, since).filter(isMatch);
  if (first.operator === 'EQ') numbers.sort((a, b) => a - b);
  return { total: numbers.length, results: numbers.slice(0, limit).map((n) => account.record(kind, n, properties)) };
}

function read(account: CrmAccount, kind: Kind, { inputs, properties = [] }: Batch) {
  const results = inputs.flatMap(({ id }) => {
    const n = account.numberOf(kind, id);
    return n === null ? [] : [account.record(kind, n, properties)];
  });
  return { status: 'COMPLETE', results };
}

/** Associations of invoices with their contacts, and of both with companies. */
function links(account: CrmAccount, to: string | undefined, { inputs }: Batch) {
  const results = inputs.flatMap(({ id }) => {
    const invoice = account.numberOf('invoices', id);
    const contact = invoice === null ? account.numberOf('contacts', id) : account.contactOf(invoice);
    if (contact === null) return [];
    const target =
      to === 'contacts' ? account.idOf('contacts', contact) : account.idOf('companies', account.companyOf(contact));
    return [{ from: { id }, to: [{ toObjectId: Number(target), associationTypes: [{ label: null }] }] }];
  });
  return { status: 'COMPLETE', results };
}
