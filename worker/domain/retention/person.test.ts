import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { insertRow } from '#tests/support/unit/insert-row';
import { declinedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { signatureKey } from '#worker/data/preview/signatures';
import { INSTALLATION } from '#worker/data/schema/audit';
import { TWO_YEARS } from '#worker/data/schema/table';
import { readReceipt } from '#worker/domain/mail/receipt';
import { takePayment } from '#worker/domain/payments/take-payment';
import { erasePerson, findPersonData } from './erase.ts';

const DAY = 86_400_000;
const MARTA = 'marta@example.test';
const OTHER = 'olga@example.test';

type Values = Record<string, unknown>;
const INSTALLATION_TABLES = new Set(['handoff_codes', 'content_users', 'content_invitations', 'media']);
const databaseOf = (table: string) => (INSTALLATION_TABLES.has(table) ? env.INSTALLATION : env.DB);
const rowsIn = async (db: D1Database, table: string): Promise<Values[]> =>
  (await db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all<Values>()).results;
const allRows = (table: string) => rowsIn(databaseOf(table), table);
const listEvents = async () => [
  ...(await rowsIn(env.INSTALLATION, 'audit_events')),
  ...(await allRows('audit_events')),
];

/** Lists the data in the clinic's database and in the installation's. */
const show = async ({ deps, installation, accountId }: World, email: string) => [
  ...(await findPersonData(deps, { accountId, email })),
  ...(await findPersonData(installation, { accountId: INSTALLATION, email })),
];
const erase = async ({ deps, installation, accountId }: World, email: string) => [
  ...(await erasePerson(deps, { accountId, email })),
  ...(await erasePerson(installation, { accountId: INSTALLATION, email })),
];
const TABLES = [
  ...[
    'payment_attempts',
    'gateway_transactions',
    'outbox',
    'contacts',
    'invoices',
    'users',
    'sessions',
    'handoff_codes',
  ],
  ...['invitations', 'mail_addresses', 'reminder_opt_outs'],
  ...['content_users', 'content_invitations', 'accounts', 'pay_links', 'invoice_signatures'],
];
const allData = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await allRows(name)])));

/** Makes a payment by Marta with the link; it is approved unless `isDeclined`. */
async function pay(world: World, isDeclined = false) {
  if (isDeclined) world.gateway.script.charge = (request) => declinedOutcome(request);
  await takePayment(world.deps, world.payId, paymentForm({}), { clientIp: '203.0.113.9' });
  const [attempt] = await world.attempts();
  if (!attempt) throw new Error('no attempt');
  return attempt;
}

/** Inserts all kinds of rows about one person, identified by email. */
async function insertPersonRows(world: World, email: string, n: number): Promise<void> {
  const { accountId: account_id, clock } = world;
  const id = `${n}`;
  const oldTime = clock.now - TWO_YEARS - DAY;
  const rows: [string, Values][] = [
    [
      'payment_attempts',
      {
        id: `old-${id}`,
        receipt_id: `old-${id}`,
        account_id,
        invoice_id: `old-${id}`,
        state: 'approved',
        receipt_to: email,
        payer_first_name: `First${n}`,
        payer_last_name: `Last${n}`,
        payer_address: `${n} Elm St`,
        signature_key: `signatures/${account_id}/old-${id}.png`,
        ip_key: `ip${n}`,
        provider_txn_id: `x${id}`,
        created_at: oldTime,
        settled_at: oldTime,
      },
    ],
    [
      'payment_attempts',
      {
        id: `sale-${id}`,
        receipt_id: `sale-${id}`,
        account_id,
        invoice_id: `sale-${id}`,
        channel: 'terminal',
        state: 'approved',
        started_by: email,
        created_at: oldTime,
        settled_at: clock.now,
      },
    ],
    ['gateway_transactions', { account_id, provider_txn_id: `x${id}`, payer: `LAST${n} FIRST${n}`, at: oldTime }],
    [
      'contacts',
      {
        account_id,
        contact_id: id,
        first_name: `First${n}`,
        last_name: `Last${n}`,
        email: email.toUpperCase(),
        read_at: 1,
      },
    ],
    ['contacts', { account_id, contact_id: `9${id}`, last_name: `Last${n}`, email, read_at: 1, deleted_at: clock.now }],
    ['invoices', { account_id, invoice_id: id, contact_id: id, contact_last_name: `Last${n}`, contact_email: email }],
    [
      'invoices',
      { account_id, invoice_id: `9${id}`, contact_id: `9${id}`, contact_last_name: `Last${n}`, contact_email: email },
    ],
    ['pay_links', { pay_id: `pay-${id}`, account_id, invoice_id: id, ends_at: clock.now }],
    ['invoice_signatures', { account_id, invoice_id: id, image_key: `k${id}`, saved_at: clock.now }],
    [
      'outbox',
      { id: `sent-${id}`, account_id, kind: 'receipt', recipient: email, state: 'sent', created_at: clock.now },
    ],
    [
      'outbox',
      { id: `due-${id}`, account_id, kind: 'receipt', recipient: email, next_try_at: clock.now, created_at: clock.now },
    ],
    ['mail_addresses', { account_id, address: email, why: 'bounced', mail_id: `sent-${id}`, at: clock.now }],
    ['reminder_opt_outs', { token: id, account_id, address: email, made_at: clock.now }],
    ['users', { account_id, user_id: n, email }],
    ['sessions', { id, account_id, user_id: n, companion_hash: id, ends_at: clock.now - 1 }],
    ['invitations', { id, account_id, email, role: 'desk', secret_hash: id }],
    ['handoff_codes', { code_hash: id, account_id, user_id: n, email, ends_at: clock.now }],
    ['content_users', { id: `w${id}`, email, name: `First${n} Last${n}`, status: 'active' }],
    ['content_users', { id: `d${id}`, email, name: `First${n}`, status: 'decoy' }],
    [
      'media',
      { id, key: id, original_name: 'x', mime_type: 'image/png', uploaded_by: `First${n}`, uploader_id: `w${id}` },
    ],
    ['content_invitations', { id, token_hash: id, email, role: 'editor', ends_at: clock.now + DAY }],
  ];
  for (const [table, values] of rows) await insertRow(databaseOf(table), table, values);
  await env.MEDIA.put(`signatures/${account_id}/old-${id}.png`, 'png');
}

const tableNames = (rows: { name: string }[]) => rows.map(({ name }) => name.split(':')[0]);

describe('stored data about a person', () => {
  it('is listed per table, with what may be erased, regardless of letter case', async () => {
    const world = await makeWorld();
    await insertPersonRows(world, MARTA, 1);
    await insertPersonRows(world, OTHER, 2);
    const holdings = await show(world, ` ${MARTA.replace('marta', 'Marta')} `);
    expect([...new Set(tableNames(holdings))].sort()).toEqual(
      [...TABLES.filter((name) => name !== 'accounts'), 'article_revisions, media'].sort(),
    );
    const json = JSON.stringify(holdings);
    expect(json).toContain('Last1');
    expect(json).not.toMatch(/Last2|First2|olga/);
    // These grant access, so not even the operator's screen shows them.
    expect(json).not.toMatch(/pay-1|"companion_hash"|"receipt_id"|"password"|"token_hash"/);
    expect(holdings.filter(({ stays, erasable, rows }) => erasable < rows.length && stays === '')).toEqual([]);
  });

  it('is empty for an unknown address and for an empty one, which erased rows have', async () => {
    const world = await makeWorld();
    await pay(world);
    await insertPersonRows(world, MARTA, 1);
    world.clock.now += TWO_YEARS + 1;
    await erase(world, MARTA);
    const before = await allData();
    for (const address of ['', '  ', 'nobody@example.test']) {
      expect(await show(world, address)).toEqual([]);
      expect(await erase(world, address)).toEqual([]);
    }
    expect(await allData()).toEqual(before);
  });
});

describe('erasing a person', () => {
  it('blanks or deletes what may go, gives the reason for the rest, and finds nothing on a second run', async () => {
    const world = await makeWorld();
    await insertPersonRows(world, MARTA, 1);
    const erased = await erase(world, MARTA);
    const resultOf = (name: string) => erased.find((holding) => holding.name.startsWith(name));
    expect(resultOf('payment_attempts: names')).toMatchObject({ found: 1, erased: 1 });
    expect(resultOf('gateway_transactions')).toMatchObject({ found: 1, erased: 1 });
    expect(resultOf('contacts')).toMatchObject({ found: 2, erased: 1, stays: expect.stringContaining('CRM') });
    expect(resultOf('invoices')).toMatchObject({ erased: 1 });
    expect(resultOf('outbox')).toMatchObject({ found: 2, erased: 1 });
    expect(resultOf('users')).toMatchObject({ erased: 1 });
    expect(resultOf('sessions')).toMatchObject({ erased: 1 });
    expect(resultOf('content_users')).toMatchObject({ found: 2, erased: 1 });
    expect(resultOf('content_invitations')).toMatchObject({ erased: 1 });
    expect(await env.MEDIA.head(`signatures/${world.accountId}/old-1.png`)).toBeNull();
    const [attempt] = (await allRows('payment_attempts')).filter(({ id }) => id === 'old-1');
    expect(attempt).toMatchObject({ payer_last_name: '', receipt_to: '', ip_key: '', signature_key: null });

    const before = [await allData(), await listEvents()];
    expect((await erase(world, MARTA)).filter((holding) => holding.erased > 0)).toEqual([]);
    expect([await allData(), await listEvents()]).toEqual(before);
  });

  it('records an audit event without the person’s name for each account that lost rows', async () => {
    const world = await makeWorld();
    await insertPersonRows(world, MARTA, 1);
    const actor = { ...world.deps.actor, kind: 'operator', id: 'root' } as const;
    const { deps, installation } = world;
    await erase({ ...world, deps: { ...deps, actor }, installation: { ...installation, actor } }, MARTA);
    const erasures = (await listEvents()).filter(({ action }) => action === 'person.erased');
    expect(erasures).toMatchObject([
      { account_id: 0, actor_kind: 'operator', actor_id: 'root', after: '{"rows":3}' },
      { account_id: world.accountId, actor_kind: 'operator', subject_kind: 'person' },
    ]);
    expect(JSON.stringify(erasures)).not.toMatch(/marta|Last1/i);
  });

  it('leaves every row of another person unchanged', async () => {
    const world = await makeWorld();
    await insertPersonRows(world, OTHER, 2);
    const before = await allData();
    await insertPersonRows(world, MARTA, 1);
    await erase(world, MARTA);
    const after = await allData();
    for (const [table, rows] of Object.entries(before) as [string, Values[]][]) {
      for (const row of rows) expect(after[table], table).toContainEqual(row);
    }
    expect(await env.MEDIA.head(`signatures/${world.accountId}/old-2.png`)).not.toBeNull();
  });

  it('leaves the rows of another account unchanged', async () => {
    const world = await makeWorld();
    const otherId = world.accountId + 1;
    await insertRow(env.DB, 'accounts', { account_id: otherId });
    await insertPersonRows({ ...world, accountId: otherId }, OTHER, 2);
    const before = await allData();
    const person = { accountId: world.accountId, email: OTHER };
    expect(await findPersonData(world.deps, person)).toEqual([]);
    expect(await erasePerson(world.deps, person)).toEqual([]);
    expect(await allData()).toEqual(before);
  });

  it('keeps names and signature of a payment that may be disputed, and reports for how long', async () => {
    const world = await makeWorld();
    const attempt = await pay(world);
    world.clock.now += 61 * DAY;
    const [held] = (await erase(world, MARTA)).filter(({ name }) => name.includes('names'));
    expect(held).toMatchObject({ found: 1, erased: 0, stays: expect.stringContaining('two years') });
    expect((await world.attempts())[0]).toMatchObject({ payerLastName: attempt.payerLastName, ipKey: '' });
    expect(await env.MEDIA.head(signatureKey(world.accountId, attempt.id))).not.toBeNull();
  });

  it('blanks a declined attempt after sixty days, when it can no longer turn out to be charged', async () => {
    const world = await makeWorld();
    await pay(world, true);
    for (const [waitMs, erased] of [
      [59 * DAY, 0],
      [2 * DAY, 1],
    ] as const) {
      world.clock.now += waitMs;
      const [held] = (await erase(world, MARTA)).filter(({ name }) => name.includes('names'));
      expect(held?.erased).toBe(erased);
    }
  });

  it('changes no sum, keeps the card token used up, and leaves the receipt without a name', async () => {
    const world = await makeWorld();
    const form = paymentForm({});
    await takePayment(world.deps, world.payId, form, { clientIp: '203.0.113.9' });
    const readMoneyTables = async () => [
      await allRows('ledger'),
      await allRows('daily_totals'),
      await allRows('list_counts'),
    ];
    const before = await readMoneyTables();
    const [attempt] = await world.attempts();
    world.clock.now += TWO_YEARS + 1;
    await erase(world, MARTA);
    expect((await world.attempts())[0]).toEqual({
      ...attempt,
      payerFirstName: '',
      payerLastName: '',
      payerAddress: '',
      payerAddress2: '',
      payerCity: '',
      payerState: '',
      payerZip: '',
      receiptTo: '',
      startedBy: '',
      ipKey: '',
      signatureKey: null,
      signedWords: '',
      billedTo: '',
    });
    expect(await readMoneyTables()).toEqual(before);
    const charges = world.gateway.charges.length;
    await takePayment(world.deps, world.payId, form, { clientIp: '203.0.113.9' });
    await takePayment(world.deps, world.payId, paymentForm({}), { clientIp: '203.0.113.9' });
    expect(world.gateway.charges).toHaveLength(charges);
    expect(await readReceipt(world.deps, attempt?.receiptId ?? '')).toMatchObject({
      customer: null,
      hasSignature: false,
      amount: '$184.00 USD',
      status: 'Paid',
    });
  });
});
