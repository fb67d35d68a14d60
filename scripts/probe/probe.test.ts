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
import { localGiven } from './given.ts';
import { hubspotQuestions } from './hubspot.ts';
import { mailQuestions } from './mail.ts';
import { askAll, type Question, transcript, unknown, type Verdict } from './question.ts';
import { type Place, talkTo } from './talk.ts';

const world = await startSandbox();
const settings = readEnv(testSettings(world.url));

/** Another answer of the vendor than the sandbox has. */
type Bend = { on: RegExp; status?: number; json?: (before: never) => unknown };
type Fetch = NonNullable<Place['fetch']>;
const bent =
  (bend: Bend | undefined, send: Fetch = fetch): Fetch =>
  async (url, init) => {
    const reply = await send(url, init);
    if (!bend?.on.test(`${init.method} ${url}`)) return reply;
    const text = await reply.text();
    const body = bend.json ? JSON.stringify(bend.json(JSON.parse(text || '{}') as never)) : text;
    return new Response(bend.status === 204 ? null : body, { status: bend.status ?? reply.status });
  };

async function ask(
  questions: Question[],
  id: string,
  place: Omit<Place, 'fetch'>,
  bend?: Bend,
  send?: Fetch,
): Promise<Verdict> {
  const question = questions.find((one) => one.id === id);
  if (!question) throw new Error(`no question ${id}`);
  const talk = talkTo({ ...place, fetch: bent(bend, send), pause: async () => undefined });
  const [asked] = await askAll([question], talk, true);
  expect(asked?.answer.seen).not.toBe('');
  return asked?.answer.verdict ?? 'unknown';
}

type Case = [id: string, verdict: Verdict, bend?: Bend, settings?: object];
const titled = ([id, verdict]: Case) => `${id}: ${verdict}`;

/** Each question has a case for yes and one for no. */
const bothWays = (questions: Question[], cases: Case[]) =>
  test('every probe question has a test case for yes and one for no', () => {
    for (const { id } of questions)
      for (const verdict of ['yes', 'no'])
        expect(
          cases.some((one) => one[0] === id && one[1] === verdict),
          `${id}: ${verdict}`,
        ).toBe(true);
  });

describe('CRM probe', async () => {
  const HUB = `hubs/${dental.hubId}`;
  const crm = await world.crm(dental, 'write');
  const token = await world.accessToken(dental, 'write');
  const other = await world.accessToken(vet);
  const [{ id: item }] = (await crm.get<{ results: { id: string }[] }>('/crm/objects/2026-09/line_items?limit=1')).json
    .results as [{ id: string }];
  const linked = (
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
  bothWays(hubspotQuestions, cases);

  it.each(cases.map((one) => [titled(one), ...one] as const))('%s', async (_title, id, verdict, bend, more = {}) => {
    await world.control(`${HUB}/settings`, more);
    onTestFinished(async () => void (await world.call(`/_sandbox/${HUB}/settings`, { method: 'DELETE' })));
    const [bill = ''] = (await world.control<{ ids: string[] }>(`${HUB}/invoices`, { amount: '60.00' })).ids;
    const invoice = id === 'inline-links-keep-the-space' ? String(linked) : bill;
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const given = {
      PROBE_HUBSPOT_INVOICE: invoice,
      HUBSPOT_CLIENT_ID,
      HUBSPOT_CLIENT_SECRET,
      PROBE_HUBSPOT_OTHER_TOKEN: other,
      PROBE_HUBSPOT_REFRESH_TOKEN: dental.refreshToken,
      PROBE_HUBSPOT_SPARE_REFRESH_TOKEN: vet.refreshToken,
    };
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(hubspotQuestions, id, { base: world.url, headers, given }, bend)).toBe(verdict);
  });

  describe('token refresh', () => {
    const TWO = ['token-answer-is-whole', 'refresh-tokens-stay'];
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const given = { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET, PROBE_HUBSPOT_REFRESH_TOKEN: dental.refreshToken };
    const start = async (rotate_refresh: boolean) => {
      const own = await startSandbox(onTestFinished);
      await own.control('settings', { rotate_refresh });
      return { own, talk: talkTo({ base: own.url, headers: {}, given, pause: async () => undefined }) };
    };

    it.each([
      ['stay', false, ['yes', 'yes']],
      ['are new each time', true, ['yes', 'no']],
    ] as const)('refreshes once for both questions when refresh tokens %s', async (_title, rotates, verdicts) => {
      const { talk } = await start(rotates);
      const two = hubspotQuestions.filter(({ id }) => TWO.includes(id));
      expect((await askAll(two, talk, true)).map(({ answer }) => answer.verdict)).toEqual(verdicts);
      expect(talk.calls).toEqual([{ line: 'POST /oauth/2026-09/token', status: 200 }]);
    });

    it('refreshes again in the next run', async () => {
      const { own, talk } = await start(false);
      const two = hubspotQuestions.filter(({ id }) => TWO.includes(id));
      await askAll(two, talk, true);
      const next = talkTo({ base: own.url, headers: {}, given });
      await askAll(two, next, true);
      expect(next.calls).toHaveLength(1);
    });

    it('gets a working refresh token in the sandbox', async () => {
      const { own } = await start(true);
      const local = await localGiven('hubspot', readEnv(testSettings(own.url)));
      const form = { grant_type: 'refresh_token', refresh_token: local.PROBE_HUBSPOT_REFRESH_TOKEN ?? '' };
      expect((await own.token(form)).status).toBe(200);
    });

    it('does not use up the refresh token without --write', async () => {
      const { own, talk } = await start(true);
      const all = await askAll(hubspotQuestions, talk, false);
      for (const { question, answer } of all)
        if (TWO.includes(question.id)) expect(answer.seen, question.id).toMatch(/^not asked: it writes/);
      const form = { grant_type: 'refresh_token', refresh_token: dental.refreshToken };
      expect((await own.token(form)).status).toBe(200);
    });
  });
});

describe('gateway probe', () => {
  const place = {
    base: world.url,
    headers: { 'api-key': online.apiKey },
    given: {
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
  const listed = (change: (payload: Record<string, unknown>) => unknown) => ({
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
    ['page-size-has-a-hyphen', 'no', { on: /page-size/, ...listed(() => ({ transactions: { transaction: [1, 2] } })) }],
    ['batches-are-nested', 'yes'],
    ['batches-are-nested', 'no', { on: /batches/, ...listed(() => ({ batch: [] })) }],
    ['declines-are-errors', 'yes'],
    [
      'declines-are-errors',
      'no',
      { on: /sale/, ...listed((payload) => ({ ...payload, payloadType: 'errorTransaction' })) },
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
      { on: /settings/, ...listed(() => ({ 'terminal-settings': { 'merchant-id': '88000447' } })) },
    ],
    ['batch-numbers-agree', 'yes'],
    ['batch-numbers-agree', 'no', { on: /batches/, ...listed(() => ({ batches: { batch: [{ id: 'A1' }] } })) }],
    ['batch-numbers-agree', 'unknown', { on: /batches/, ...listed(() => ({})) }],
    ['twenty-calls-are-taken', 'yes'],
    ['twenty-calls-are-taken', 'no', { on: /settings/, status: 429 }],
    ['twenty-calls-are-taken', 'unknown', { on: /settings/, status: 500 }],
    ['card-token-lasts', 'yes'],
    ['card-token-lasts', 'no', { on: /mobilejwt/, ...listed(() => ({ 'mobile-jwt': { jwt: endsIn(30) } })) }],
    ['card-token-lasts', 'unknown', { on: /mobilejwt/, ...listed(() => ({ 'mobile-jwt': { jwt: 'opaque' } })) }],
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
  bothWays(gatewayQuestions, cases);

  it.each(cases.map((one) => [titled(one), ...one] as const))('%s', async (_title, id, verdict, bend, more) => {
    if (more) await world.control('settings', more);
    expect(await ask(gatewayQuestions, id, place, bend)).toBe(verdict);
  });
});

/** How the life of a mail to each of the service's addresses for tests ends. */
const ENDS = { delivered: 'delivered', bounced: 'bounced', complained: 'complained', suppressed: 'suppressed' };
/** Reads a mail only once nothing more is told of it, so that no answer depends on how fast the sandbox tells. */
const whenAllIsTold: Fetch = async (url, init) => {
  const read = async () => (await (await fetch(url, init)).json()) as { to?: string[]; last_event?: string };
  const [name = ''] = init.method === 'GET' && /\/emails\//.test(url) ? ((await read()).to?.[0] ?? '').split('+') : [];
  const ends = ENDS[name as keyof typeof ENDS];
  // An address that came back once is held back from then on.
  if (ends) await expect.poll(async () => [ends, 'suppressed'].includes((await read()).last_event ?? '')).toBe(true);
  return fetch(url, init);
};

describe('mail service probe', () => {
  const place = {
    base: world.url,
    headers: { authorization: `Bearer ${mailApiKey}` },
    given: { MAIL_FROM: 'A <a@clinic.test>', APP_URL: 'http://localhost:8787' },
  };
  const read = /GET .*emails\//;
  const lastly = (last_event: string) => ({ on: read, json: (before: object) => ({ ...before, last_event }) });
  const cases: Case[] = [
    ['same-key-is-one-mail', 'yes'],
    ['same-key-is-one-mail', 'no', { on: /emails/, json: () => ({ id: crypto.randomUUID() }) }],
    ['last-event-can-be-read', 'yes'],
    ['last-event-can-be-read', 'no', { on: /GET .*emails/, status: 401 }],
    ['key-is-known', 'yes'],
    ['key-is-known', 'no', { on: /emails/, status: 403, json: () => ({ name: 'invalid_api_key' }) }],
    ['bounces-are-told', 'yes'],
    ['bounces-are-told', 'no', lastly('sent')],
    ['bounces-are-told', 'unknown', { on: read, status: 401 }],
    ['complaints-are-told', 'yes'],
    ['complaints-are-told', 'no', lastly('delivered')],
    ['suppression-is-told', 'yes'],
    ['suppression-is-told', 'no', lastly('sent')],
    ['tags-come-back', 'yes'],
    ['tags-come-back', 'no', { on: read, json: (before: object) => ({ ...before, tags: undefined }) }],
    ['bounced-once-is-suppressed', 'yes'],
    ['bounced-once-is-suppressed', 'no', lastly('bounced')],
    ['bounced-once-is-suppressed', 'unknown', lastly('delivered')],
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
  bothWays(mailQuestions, cases);

  it.each(cases.map((one) => [titled(one), ...one] as const))('%s', async (_title, id, verdict, bend) => {
    expect(await ask(mailQuestions, id, place, bend, whenAllIsTold)).toBe(verdict);
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
  it.each(cases)('%s: %s', async (id, verdict, own, commit) => {
    const base = await platform(commit);
    expect(await ask(cloudflareQuestions(own), id, { base, headers: {}, given: { APP_URL: base } })).toBe(verdict);
  });

  it.each([
    ['yes', 10],
    ['no', 900],
  ] as const)('worker-answers-soon: %s', async (verdict, ms) => {
    const [question] = cloudflareQuestions(account()).filter(({ id }) => id === 'worker-answers-soon');
    let clock = 0;
    const base = await platform(LIVE);
    const talk = talkTo({ base, headers: {}, given: { APP_URL: base } });
    const answer = await question?.look({ ...talk, now: () => (clock += ms) });
    expect(answer?.verdict).toBe(verdict);
  });
});

describe('the list of open questions (docs/probes/README.md)', () => {
  const [, section = ''] = readFileSync('docs/probes/README.md', 'utf8').split('\n## What is open, and who answers\n');
  const rows = section.split('\n').flatMap((line) => {
    const [, number = '', asks = '', answered = ''] = line.split('|').map((cell) => cell.trim());
    return /^\d+$/.test(number) ? [{ number: Number(number), asks, answered }] : [];
  });
  const none: Account = { tryMigrations: async () => 0, liveHead: () => '', askForBuild: async () => null };
  const questions = [...hubspotQuestions, ...gatewayQuestions, ...mailQuestions, ...cloudflareQuestions(none)];
  const idsIn = (answered: string) => [...answered.matchAll(/`([a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)+)`/g)].map(([, id]) => id);
  const known = questions.map(({ id }) => id);

  it('gives each question an existing probe or the reason why people must answer it', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, at) => at + 1));
    expect(rows.length).toBeGreaterThan(40);
    for (const { asks, answered } of rows) {
      expect(asks).toMatch(/\?$/);
      const isOfPeople = /^people: .{20}/.test(answered);
      expect(isOfPeople || idsIn(answered).length > 0, asks).toBe(true);
      for (const id of idsIn(answered)) expect(known, asks).toContain(id);
    }
  });

  it('lists every probe question exactly once', () => {
    expect(rows.flatMap(({ answered }) => idsIn(answered)).sort()).toEqual([...known].sort());
  });
});

describe('a probe transcript', () => {
  it('sends only reads without --write and states what follows from each answer', async () => {
    const talk = talkTo({ base: world.url, headers: { 'api-key': online.apiKey }, given: {} });
    const all = await askAll(gatewayQuestions, talk, false);
    expect(talk.calls.every(({ line }) => line.startsWith('GET '))).toBe(true);
    const page = transcript('gateway', '2026-11-24', all, [online.apiKey]);
    expect(page.match(/^## /gm)).toHaveLength(gatewayQuestions.length);
    expect(page.match(/^Follows: /gm)).toHaveLength(gatewayQuestions.length);
    expect(page).toContain('not asked: it writes into the test account');
  });

  it('contains no secret, token or record number', async () => {
    const given = await localGiven('hubspot', settings);
    const { PROBE_HUBSPOT_TOKEN: token = '', PROBE_HUBSPOT_INVOICE: invoice = '' } = given;
    const { HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET } = settings;
    const all = { ...given, HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET };
    const talk = talkTo({
      base: world.url,
      headers: { authorization: `Bearer ${token}` },
      given: all,
      pause: async () => undefined,
    });
    const echo: Question = {
      id: 'echo',
      asks: 'x',
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
    const question = { id: 'echo', asks: 'x', writes: false, yes: '', no: '', look: async () => unknown('') };
    for (const form of forms) {
      const calls = [{ line: `POST /merchants/${form}`, status: 200 }];
      // A shorter secret that another one begins with does not leave the rest of it.
      const page = transcript('gateway', '2026-11-24', [{ question, answer: unknown(form), calls }], [part, secret]);
      expect(page).toContain('Seen: [secret]\n');
      expect(page).toContain('    POST /merchants/[secret] → 200\n');
    }
  });
});
