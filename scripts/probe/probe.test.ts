import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { boarding, mailApiKey } from '#sandbox/credentials';
import { dental, online, startSandbox, vet } from '#tests/sandbox/start';
import { testSettings } from '#tests/support/unit/settings';
import { readEnv } from '#worker/env';
import { type Account, cloudflareQuestions } from './cloudflare.ts';
import { gatewayQuestions } from './gateway.ts';
import { hubspotQuestions } from './hubspot.ts';
import { mailQuestions } from './mail.ts';
import { localInput } from './probe-input.ts';
import { askAll, type Question, transcript, unknown, type Verdict } from './question.ts';
import { type Place, talkTo } from './talk.ts';

const world = await startSandbox();
const settings = readEnv(testSettings(world.url));

/** A vendor response that differs from the sandbox's. */
type Fake = { on: RegExp; status?: number; json?: (before: never) => unknown };
type Fetch = NonNullable<Place['fetch']>;
const withFake =
  (fake: Fake | undefined, send: Fetch = fetch): Fetch =>
  async (url, init) => {
    const reply = await send(url, init);
    if (!fake?.on.test(`${init.method} ${url}`)) return reply;
    const text = await reply.text();
    const body = fake.json ? JSON.stringify(fake.json(JSON.parse(text || '{}') as never)) : text;
    return new Response(fake.status === 204 ? null : body, { status: fake.status ?? reply.status });
  };

async function ask(
  questions: Question[],
  id: string,
  place: Omit<Place, 'fetch'>,
  fake?: Fake,
  send?: Fetch,
): Promise<Verdict> {
  const question = questions.find((candidate) => candidate.id === id);
  if (!question) throw new Error(`no question ${id}`);
  const talk = talkTo({ ...place, fetch: withFake(fake, send), pause: async () => undefined });
  const [answered] = await askAll([question], talk, true);
  expect(answered?.answer.seen).not.toBe('');
  return answered?.answer.verdict ?? 'unknown';
}

type Case = [id: string, verdict: Verdict, fake?: Fake, settings?: object];
const nameOf = ([id, verdict]: Case) => `${id}: ${verdict}`;

/** Each question has a case for yes and one for no. */
const requireBothVerdicts = (questions: Question[], cases: Case[]) =>
  test('every probe question has a test case for yes and one for no', () => {
    for (const { id } of questions)
      for (const verdict of ['yes', 'no'])
        expect(
          cases.some((testCase) => testCase[0] === id && testCase[1] === verdict),
          `${id}: ${verdict}`,
        ).toBe(true);
  });

describe('CRM probe', async () => {
  const HUB = `hubs/${dental.hubId}`;
  const crm = await world.crm(dental, 'write');
  const token = await world.accessToken(dental, 'write');
  const otherToken = await world.accessToken(vet);
  const [{ id: item }] = (await crm.get<{ results: { id: string }[] }>('/crm/objects/2026-09/line_items?limit=1')).json
    .results as [{ id: string }];
  const linkedInvoice = (
    await world.call<{ results: { to: { toObjectId: number }[] }[] }>(
      '/crm/associations/2026-09/line_items/invoices/batch/read',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ inputs: [{ id: item }] }),
      },
    )
  ).json.results[0]?.to[0]?.toObjectId;

  const cases: Case[] = [
    ['record-moves-balance', 'yes', undefined, { payments: 'on' }],
    ['record-moves-balance', 'no', undefined, { payments: 'record-only' }],
    ['record-moves-balance', 'no', undefined, { payments: 'off' }],
    ['links-do-not-lag', 'yes', undefined, { payments: 'on' }],
    ['links-do-not-lag', 'no', undefined, { payments: 'on', association_lag_ms: 3_600_000 }],
    ['links-do-not-lag', 'unknown', undefined, { payments: 'off' }],
    ['missing-ids-are-named', 'yes'],
    ['missing-ids-are-named', 'no', { on: /batch\/read/, status: 404 }],
    ['lists-end-at-100', 'yes'],
    ['lists-end-at-100', 'no', { on: /limit=101/, status: 200 }],
    ['single-links-are-gone', 'yes'],
    ['single-links-are-gone', 'no', { on: /associations\/line_items/, status: 200 }],
    ['inline-links-keep-the-space', 'yes'],
    ['inline-links-keep-the-space', 'no', { on: /associations=/, json: () => ({ associations: { line_items: {} } }) }],
    ['computed-are-read-only', 'yes'],
    [
      'computed-are-read-only',
      'no',
      { on: /hs_balance_due/, json: () => ({ modificationMetadata: { readOnlyValue: false } }) },
    ],
    ['paid-is-not-set-by-hand', 'yes'],
    ['paid-is-not-set-by-hand', 'no', { on: /PATCH/, status: 200 }],
    ['dead-tokens-are-told', 'yes'],
    ['dead-tokens-are-told', 'no', { on: /token/, status: 500 }],
    ['dead-tokens-are-inactive', 'yes'],
    ['dead-tokens-are-inactive', 'no', { on: /introspect/, status: 400 }],
    ['token-answer-is-whole', 'yes'],
    ['token-answer-is-whole', 'no', { on: /token/, json: (before: object) => ({ ...before, scopes: undefined }) }],
    ['token-answer-is-whole', 'unknown', { on: /token/, status: 400 }],
    ['refresh-tokens-stay', 'yes'],
    ['refresh-tokens-stay', 'no', undefined, { rotate_refresh: true }],
    ['records-stay-in-their-account', 'yes'],
    ['records-stay-in-their-account', 'no', { on: /invoices\/\d+/, status: 200 }],
    ['search-limit-is-named', 'yes', undefined, { limits: true }],
    ['search-limit-is-named', 'no', { on: /search/, status: 429, json: () => ({}) }],
    ['search-limit-is-named', 'unknown'],
    ['ended-grants-are-over', 'yes'],
    ['ended-grants-are-over', 'no', { on: /revoke/, status: 500 }],
  ];
  requireBothVerdicts(hubspotQuestions, cases);

  it.each(cases.map((row) => [nameOf(row), ...row] as const))('%s', async (_title, id, verdict, fake, knobs = {}) => {
    await world.control(`${HUB}/settings`, knobs);
    onTestFinished(async () => void (await world.call(`/_sandbox/${HUB}/settings`, { method: 'DELETE' })));
    const [bill = ''] = (await world.control<{ ids: string[] }>(`${HUB}/invoices`, { amount: '60.00' })).ids;
    const invoice = id === 'inline-links-keep-the-space' ? String(linkedInvoice) : bill;
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const input = {
      PROBE_HUBSPOT_INVOICE: invoice,
      HUBSPOT_CLIENT_ID,
      HUBSPOT_CLIENT_SECRET,
      PROBE_HUBSPOT_OTHER_TOKEN: otherToken,
      PROBE_HUBSPOT_REFRESH_TOKEN: dental.refreshToken,
      PROBE_HUBSPOT_SPARE_REFRESH_TOKEN: vet.refreshToken,
    };
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(hubspotQuestions, id, { base: world.url, headers, input }, fake)).toBe(verdict);
  });

  describe('token refresh', () => {
    const REFRESH_QUESTIONS = ['token-answer-is-whole', 'refresh-tokens-stay'];
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const input = { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET, PROBE_HUBSPOT_REFRESH_TOKEN: dental.refreshToken };
    const start = async (rotate_refresh: boolean) => {
      const sandbox = await startSandbox(onTestFinished);
      await sandbox.control('settings', { rotate_refresh });
      return { own: sandbox, talk: talkTo({ base: sandbox.url, headers: {}, input, pause: async () => undefined }) };
    };

    it.each([
      ['stay', false, ['yes', 'yes']],
      ['are new each time', true, ['yes', 'no']],
    ] as const)('refreshes once for both questions when refresh tokens %s', async (_title, rotates, verdicts) => {
      const { talk } = await start(rotates);
      const refreshQuestions = hubspotQuestions.filter(({ id }) => REFRESH_QUESTIONS.includes(id));
      expect((await askAll(refreshQuestions, talk, true)).map(({ answer }) => answer.verdict)).toEqual(verdicts);
      expect(talk.calls).toEqual([{ line: 'POST /oauth/2026-09/token', status: 200 }]);
    });

    it('refreshes again in the next run', async () => {
      const { own: sandbox, talk } = await start(false);
      const refreshQuestions = hubspotQuestions.filter(({ id }) => REFRESH_QUESTIONS.includes(id));
      await askAll(refreshQuestions, talk, true);
      const next = talkTo({ base: sandbox.url, headers: {}, input });
      await askAll(refreshQuestions, next, true);
      expect(next.calls).toHaveLength(1);
    });

    it('gets a working refresh token in the sandbox', async () => {
      const { own: sandbox } = await start(true);
      const local = await localInput('hubspot', readEnv(testSettings(sandbox.url)));
      const form = { grant_type: 'refresh_token', refresh_token: local.PROBE_HUBSPOT_REFRESH_TOKEN ?? '' };
      expect((await sandbox.token(form)).status).toBe(200);
    });

    it('does not use up the refresh token without --write', async () => {
      const { own: sandbox, talk } = await start(true);
      const all = await askAll(hubspotQuestions, talk, false);
      for (const { question, answer } of all)
        if (REFRESH_QUESTIONS.includes(question.id)) expect(answer.seen, question.id).toMatch(/^not asked: it writes/);
      const form = { grant_type: 'refresh_token', refresh_token: dental.refreshToken };
      expect((await sandbox.token(form)).status).toBe(200);
    });
  });
});

describe('gateway probe', () => {
  const place = {
    base: world.url,
    headers: { 'api-key': online.apiKey },
    input: {
      PROBE_GATEWAY_PUBLIC_KEY: online.publicKey,
      BOARDING_BASE_URL: world.url,
      BOARDING_ACCESS_KEY: boarding.accessKey,
      BOARDING_NODE_KEY: boarding.hierarchyNodeKey,
      PROBE_BOARDING_EMAIL: 'probe@clinic.test',
    },
  };
  beforeEach(() => world.control('settings', { dedupe: 'commit' }));
  const endsIn = (seconds: number) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'HS256' })}.${part({ exp: Math.floor(Date.now() / 1000) + seconds })}.x`;
  };
  const within = (change: (payload: Record<string, unknown>) => unknown) => ({
    json: (before: never) => ({ payload: change((before as { payload: Record<string, unknown> }).payload) }),
  });
  const cases: Case[] = [
    ['repeat-is-by-invoice-and-amount', 'yes'],
    ['repeat-is-by-invoice-and-amount', 'no', undefined, { dedupe: 'none' }],
    ['another-amount-is-another-sale', 'yes'],
    ['another-amount-is-another-sale', 'no', { on: /sale/, json: () => ({ payload: { transaction: { id: '1' } } }) }],
    ['duplicates-include-the-invoice', 'yes'],
    [
      'duplicates-include-the-invoice',
      'no',
      { on: /duplicates/, json: () => ({ enabled: true, 'include-invoice': false }) },
    ],
    ['page-size-has-a-hyphen', 'yes'],
    ['page-size-has-a-hyphen', 'no', { on: /page-size/, ...within(() => ({ transactions: { transaction: [1, 2] } })) }],
    ['batches-are-nested', 'yes'],
    ['batches-are-nested', 'no', { on: /batches/, ...within(() => ({ batch: [] })) }],
    ['declines-are-errors', 'yes'],
    [
      'declines-are-errors',
      'no',
      { on: /sale/, ...within((payload) => ({ ...payload, payloadType: 'errorTransaction' })) },
    ],
    ['declined-token-is-used-up', 'yes'],
    ['declined-token-is-used-up', 'no', { on: /sale/, json: () => ({ payload: { transaction: { id: '1' } } }) }],
    ['key-goes-as-api-key', 'yes'],
    ['key-goes-as-api-key', 'no', { on: /settings/, status: 401 }],
    ['key-goes-as-api-key', 'unknown', { on: /settings/, status: 500 }],
    ['merchant-id-is-the-boarded-number', 'yes'],
    [
      'merchant-id-is-the-boarded-number',
      'no',
      { on: /settings/, ...within(() => ({ 'terminal-settings': { 'merchant-id': '88000447' } })) },
    ],
    ['batch-numbers-agree', 'yes'],
    ['batch-numbers-agree', 'no', { on: /batches/, ...within(() => ({ batches: { batch: [{ id: 'A1' }] } })) }],
    ['batch-numbers-agree', 'unknown', { on: /batches/, ...within(() => ({})) }],
    ['twenty-calls-are-taken', 'yes'],
    ['twenty-calls-are-taken', 'no', { on: /settings/, status: 429 }],
    ['twenty-calls-are-taken', 'unknown', { on: /settings/, status: 500 }],
    ['card-token-lasts', 'yes'],
    ['card-token-lasts', 'no', { on: /mobilejwt/, ...within(() => ({ 'mobile-jwt': { jwt: endsIn(30) } })) }],
    ['card-token-lasts', 'unknown', { on: /mobilejwt/, ...within(() => ({ 'mobile-jwt': { jwt: 'opaque' } })) }],
    ['search-takes-utc', 'yes'],
    ['search-takes-utc', 'no', { on: /start-date/, status: 204 }],
    ['category-is-mccCode', 'yes'],
    ['category-is-mccCode', 'no', { on: /integrateMerchant/, status: 400 }],
    ['category-is-mccCode', 'unknown', { on: /integrateMerchant/, status: 403 }],
    ['times-are-utc', 'yes'],
    [
      'times-are-utc',
      'no',
      {
        on: /transactions\?level/,
        json: () => ({
          payload: {
            transactions: {
              transaction: [
                { created: new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ') },
              ],
            },
          },
        }),
      },
    ],
  ];
  requireBothVerdicts(gatewayQuestions, cases);

  it.each(cases.map((row) => [nameOf(row), ...row] as const))('%s', async (_title, id, verdict, fake, knobs) => {
    if (knobs) await world.control('settings', knobs);
    expect(await ask(gatewayQuestions, id, place, fake)).toBe(verdict);
  });
});

/** The last event of a mail to each of the service's test addresses. */
const LAST_EVENTS = { delivered: 'delivered', bounced: 'bounced', complained: 'complained', suppressed: 'suppressed' };
/** Reads a mail only after its last event, so that no response depends on the speed of the sandbox's events. */
const fetchSettledMail: Fetch = async (url, init) => {
  const read = async () => (await (await fetch(url, init)).json()) as { to?: string[]; last_event?: string };
  const [name = ''] = init.method === 'GET' && /\/emails\//.test(url) ? ((await read()).to?.[0] ?? '').split('+') : [];
  const last = LAST_EVENTS[name as keyof typeof LAST_EVENTS];
  // An address that bounced once is suppressed from then on.
  if (last) await expect.poll(async () => [last, 'suppressed'].includes((await read()).last_event ?? '')).toBe(true);
  return fetch(url, init);
};

describe('mail service probe', () => {
  const place = {
    base: world.url,
    headers: { authorization: `Bearer ${mailApiKey}` },
    input: { MAIL_FROM: 'A <a@clinic.test>', APP_URL: 'http://localhost:8787' },
  };
  const read = /GET .*emails\//;
  const withLastEvent = (last_event: string) => ({ on: read, json: (before: object) => ({ ...before, last_event }) });
  const cases: Case[] = [
    ['same-key-is-one-mail', 'yes'],
    ['same-key-is-one-mail', 'no', { on: /emails/, json: () => ({ id: crypto.randomUUID() }) }],
    ['last-event-can-be-read', 'yes'],
    ['last-event-can-be-read', 'no', { on: /GET .*emails/, status: 401 }],
    ['key-is-known', 'yes'],
    ['key-is-known', 'no', { on: /emails/, status: 403, json: () => ({ name: 'invalid_api_key' }) }],
    ['bounces-are-told', 'yes'],
    ['bounces-are-told', 'no', withLastEvent('sent')],
    ['bounces-are-told', 'unknown', { on: read, status: 401 }],
    ['complaints-are-told', 'yes'],
    ['complaints-are-told', 'no', withLastEvent('delivered')],
    ['suppression-is-told', 'yes'],
    ['suppression-is-told', 'no', withLastEvent('sent')],
    ['tags-come-back', 'yes'],
    ['tags-come-back', 'no', { on: read, json: (before: object) => ({ ...before, tags: undefined }) }],
    ['bounced-once-is-suppressed', 'yes'],
    ['bounced-once-is-suppressed', 'no', withLastEvent('bounced')],
    ['bounced-once-is-suppressed', 'unknown', withLastEvent('delivered')],
    ['webhook-has-every-event', 'yes'],
    ['webhook-has-every-event', 'no', { on: /webhooks/, json: () => ({ data: [] }) }],
    [
      'webhook-has-every-event',
      'no',
      {
        on: /webhooks/,
        json: () => ({ data: [{ endpoint: 'http://localhost:8787/api/webhooks/mail', events: ['email.sent'] }] }),
      },
    ],
    ['webhook-has-every-event', 'unknown', { on: /webhooks/, status: 401 }],
  ];
  requireBothVerdicts(mailQuestions, cases);

  it.each(cases.map((row) => [nameOf(row), ...row] as const))('%s', async (_title, id, verdict, fake) => {
    expect(await ask(mailQuestions, id, place, fake, fetchSettledMail)).toBe(verdict);
  });
});

describe('platform probe', () => {
  const [LIVE, OTHER] = ['a'.repeat(40), 'b'.repeat(40)];
  const account = (more: Partial<Account> = {}): Account => ({
    tryMigrations: async () => 19,
    liveHead: () => LIVE,
    askForBuild: async () => ({ result: { build_uuid: '1' } }),
    ...more,
  });
  /** Answers with another version from the fourth call on. */
  async function platform(commitAfter: string): Promise<string> {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls++;
      response.end(JSON.stringify({ version: calls > 3 ? 'v2' : 'v1', commit: calls > 3 ? commitAfter : LIVE }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const fails = async () => Promise.reject(new Error('incomplete input'));
  const cases: [id: string, verdict: Verdict, account: Account, commit: string][] = [
    ['import-takes-our-migrations', 'yes', account(), LIVE],
    ['import-takes-our-migrations', 'no', account({ tryMigrations: fails }), LIVE],
    ['live-branch-is-what-answers', 'yes', account(), LIVE],
    ['live-branch-is-what-answers', 'no', account({ liveHead: () => OTHER }), LIVE],
    ['live-branch-is-what-answers', 'unknown', account({ liveHead: () => '' }), LIVE],
    ['hook-builds-the-branch-alone', 'yes', account(), LIVE],
    ['hook-builds-the-branch-alone', 'no', account(), OTHER],
    ['hook-builds-the-branch-alone', 'unknown', account({ askForBuild: async () => null }), LIVE],
  ];
  it.each(cases)('%s: %s', async (id, verdict, access, commit) => {
    const base = await platform(commit);
    expect(await ask(cloudflareQuestions(access), id, { base, headers: {}, input: { APP_URL: base } })).toBe(verdict);
  });

  it.each([
    ['yes', 10],
    ['no', 900],
  ] as const)('worker-answers-soon: %s', async (verdict, ms) => {
    const [question] = cloudflareQuestions(account()).filter(({ id }) => id === 'worker-answers-soon');
    let clock = 0;
    const base = await platform(LIVE);
    const talk = talkTo({ base, headers: {}, input: { APP_URL: base } });
    const answer = await question?.look({ ...talk, now: () => (clock += ms) });
    expect(answer?.verdict).toBe(verdict);
  });
});

describe('the list of open questions (docs/probes/README.md)', () => {
  const [, section = ''] = readFileSync('docs/probes/README.md', 'utf8').split('\n## Open questions\n');
  const rows = section.split('\n').flatMap((line) => {
    const [, number = '', claim = '', source = ''] = line.split('|').map((cell) => cell.trim());
    return /^\d+$/.test(number) ? [{ number: Number(number), claim, answered: source }] : [];
  });
  const noAccount: Account = { tryMigrations: async () => 0, liveHead: () => '', askForBuild: async () => null };
  const questions = [...hubspotQuestions, ...gatewayQuestions, ...mailQuestions, ...cloudflareQuestions(noAccount)];
  const idsIn = (source: string) => [...source.matchAll(/`([a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)+)`/g)].map(([, id]) => id);
  const knownIds = questions.map(({ id }) => id);

  it('gives each question an existing probe or the reason why people must answer it', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, at) => at + 1));
    expect(rows.length).toBeGreaterThan(40);
    for (const { claim, answered: source } of rows) {
      expect(claim).toMatch(/\?$/);
      const isForPeople = /^people: .{20}/.test(source);
      expect(isForPeople || idsIn(source).length > 0, claim).toBe(true);
      for (const id of idsIn(source)) expect(knownIds, claim).toContain(id);
    }
  });

  it('lists every probe question exactly once', () => {
    expect(rows.flatMap(({ answered: source }) => idsIn(source)).sort()).toEqual([...knownIds].sort());
  });
});

describe('a probe transcript', () => {
  it('sends only reads without --write and states what follows from each answer', async () => {
    const talk = talkTo({ base: world.url, headers: { 'api-key': online.apiKey }, input: {} });
    const all = await askAll(gatewayQuestions, talk, false);
    expect(talk.calls.every(({ line }) => line.startsWith('GET '))).toBe(true);
    const page = transcript('gateway', '2026-11-24', all, [online.apiKey]);
    expect(page.match(/^## /gm)).toHaveLength(gatewayQuestions.length);
    expect(page.match(/^Follows: /gm)).toHaveLength(gatewayQuestions.length);
    expect(page).toContain('not asked: it writes into the test account');
  });

  it('contains no secret, token or record number', async () => {
    const input = await localInput('hubspot', settings);
    const { PROBE_HUBSPOT_TOKEN: token = '', PROBE_HUBSPOT_INVOICE: invoice = '' } = input;
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const all = { ...input, HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET };
    const talk = talkTo({
      base: world.url,
      headers: { authorization: `Bearer ${token}` },
      input: all,
      pause: async () => undefined,
    });
    const echo: Question = {
      id: 'echo',
      claim: 'x',
      writes: false,
      yes: '',
      no: '',
      look: async () => ({ verdict: 'yes', seen: token }),
    };
    const page = transcript(
      'hubspot',
      '2026-11-24',
      await askAll([...hubspotQuestions, echo], talk, true),
      Object.values(all),
    );
    for (const secret of [token, invoice, HUBSPOT_CLIENT_SECRET]) expect(page).not.toContain(secret);
    expect(page).toContain('[secret]');
    expect(page).toContain('    POST /oauth/2026-09/token → 400');
  });

  it('redacts a secret in every encoding that a URL or a response gives it', () => {
    const [secret, part] = ['n+de key/ä"(1)', 'n+de key'];
    const lower = encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase());
    const forms = [
      secret,
      encodeURIComponent(secret),
      encodeURI(secret),
      lower,
      new URLSearchParams({ a: secret }).toString().slice(2),
      new URL(`https://vendor.example/?${secret}`).search.slice(1),
      JSON.stringify(secret).slice(1, -1),
    ];
    const question = { id: 'echo', claim: 'x', writes: false, yes: '', no: '', look: async () => unknown('') };
    for (const form of forms) {
      const calls = [{ line: `POST /merchants/${form}`, status: 200 }];
      // A shorter secret that is the start of a longer one must not leave the rest visible.
      const page = transcript('gateway', '2026-11-24', [{ question, answer: unknown(form), calls }], [part, secret]);
      expect(page).toContain('Seen: [secret]\n');
      expect(page).toContain('    POST /merchants/[secret] → 200\n');
    }
  });
});
