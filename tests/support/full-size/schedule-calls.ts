import { eq } from 'drizzle-orm';
import { hubs } from '#sandbox/credentials';
import type { InstallationJob } from '#shared/contracts/operators/operator-values';
import type { Meter } from '#tests/support/unit/meter';
import { saveAlerts } from '#worker/data/alerts/alerts';
import { saveHeartbeats } from '#worker/data/alerts/health';
import { createCursors } from '#worker/data/reconciliation/cursors';
import { monitorRuns, scriptVersions } from '#worker/data/schema/monitoring';
import {
  accounts as accountTable,
  crmSyncs,
  payLinks,
  reconciliationCursors,
  terminals,
} from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { CLINIC_STEPS, INSTALLATION_STEPS } from '#worker/domain/run-schedule';
import type { Crm } from '#worker/vendors/hubspot/port';
import { changeAmounts, changedCrm } from './changed-amounts.ts';
import { expectStates, ids, loseAnswers, loseVoids } from './lost-answers.ts';
import { differingPage } from './monitor-calls.ts';
import { outliveAll, outliveInstallation, withOldKey } from './outlived.ts';
import { owePayments, recordingCrm } from './write-back-calls.ts';

/** The number of articles that one run publishes or withdraws. */
const ARTICLES = 20;
const { hubId: accountId } = hubs[0];

/** Adds links of these invoices whose revocation by staff can no longer be undone. */
async function addRevokedLinks({ db, now }: Deps, invoiceIds: string[]): Promise<void> {
  for (const id of invoiceIds) {
    const times = { issuedAt: 0, endsAt: now() + 60_000, revokeAt: now() - 1 };
    await db.insert(payLinks).values({ payId: `l-${id}`, accountId, invoiceId: id, ...times });
  }
}

/** A Wednesday at 10:00 UTC, the time zone of the full-size account. */
const WORKING_HOUR = Date.UTC(2026, 2, 4, 10);

const DAY_MS = 86_400_000;
/** 10:00 as time of day (ms). */
const TEN_MS = 36_000_000;

/** Adds a reminder plan that is due, and due reminders of these invoices. */
async function addDueReminders({ db }: Deps, invoiceIds: string[]): Promise<void> {
  const d1 = db.$client;
  await d1.prepare("UPDATE accounts SET time_zone = 'UTC' WHERE account_id = ?").bind(accountId).run();
  await d1
    .prepare(
      "INSERT INTO reminder_plans VALUES (?1, '[-3,0,7,14]', 1, 0, '2026-03-03', ?2, 0) ON CONFLICT DO UPDATE SET done_day = '2026-03-03', next_run_at = ?2",
    )
    .bind(accountId, WORKING_HOUR - 3_600_000)
    .run();
  for (const id of invoiceIds)
    await d1
      .prepare("INSERT INTO reminders VALUES (?1, ?2, ?3, 0, 'owed', '', '2026-03-04', ?4)")
      .bind(`reminder-${id}`, accountId, id, WORKING_HOUR - 3_600_000)
      .run();
}

/** Adds a due mailing of these invoices. */
async function addDueMailing({ db, now }: Deps, invoiceIds: string[]): Promise<void> {
  const d1 = db.$client;
  await d1
    .prepare(
      "INSERT INTO mailings (id, account_id, requested_by, requested_at, starts_at, next_at) VALUES ('m', ?1, 1, ?2, ?2, ?2)",
    )
    .bind(accountId, now())
    .run();
  await d1
    .prepare(
      `INSERT INTO mailing_invoices (mailing_id, invoice_id, account_id, n, at)
        SELECT 'm', value, ?1, key, ?3 FROM json_each(?2)`,
    )
    .bind(accountId, JSON.stringify(invoiceIds), now())
    .run();
}

/** Makes tonight's dump due now; one run of it writes the maximum number of pieces. */
async function addDueDump({ db }: Deps): Promise<void> {
  await db.$client.prepare('INSERT INTO dumps (id, due_at, ended_at) VALUES (1, 0, 0)').run();
}

/** Makes the account's closing due while payments may still move, so that it is checked and postponed. */
async function addDueClosing({ db }: Deps): Promise<void> {
  await db.$client
    .prepare('INSERT INTO closings (account_id, requested_by, requested_at, try_at) VALUES (?, 1, 0, 0)')
    .bind(accountId)
    .run();
}

/** Measures every step of the schedule with its maximum amount of work. */
export async function scheduleCalls(meter: Meter, deps: Deps, installation: Deps): Promise<void> {
  const step = (name: string, overrides: Partial<Deps> = {}) =>
    meter.measure(`clinic: ${name}`, async () => CLINIC_STEPS[name]?.({ ...deps, ...overrides }));
  const cron = (name: InstallationJob, overrides: Partial<Deps> = {}) =>
    meter.measure(`installation: ${name}`, async () => INSTALLATION_STEPS[name]({ ...installation, ...overrides }));
  const attemptIds = await loseAnswers(deps);
  await step('payments');
  await expectStates(deps, attemptIds, 'approved');
  await step('mails');
  await deps.db.$client.prepare("UPDATE outbox SET ask_at = 0 WHERE state = 'sent' AND provider_id IS NOT NULL").run();
  await step('mail-questions');
  await deps.db.$client.prepare('UPDATE accounts SET takes_apple_pay = 1, apple_pay_next_at = 0').run();
  await step('apple-pay');
  await loseVoids(deps, attemptIds);
  await step('reversals');
  await expectStates(deps, attemptIds, 'voided');
  await addRevokedLinks(deps, attemptIds);
  await step('revocations');
  await addDueMailing(deps, attemptIds);
  await step('mailings');
  await addDueReminders(deps, attemptIds);
  await step('reminders', { now: () => WORKING_HOUR });
  await deps.db.$client.prepare('UPDATE payment_notices SET told_until = 0, next_at = 0').run();
  // Before eight o'clock the step sends no notices of the previous day and would cost less.
  await step('payment-notices', { now: () => deps.now() - (deps.now() % DAY_MS) + TEN_MS });
  await owePayments(deps, attemptIds);
  await step('write-back', { crm: recordingCrm(deps), pause: async () => undefined });
  await addMerchants(deps);
  await step('reconciliation');
  for (const owner of [deps, installation]) await fillTrail(owner);
  await step('refusals');
  await deps.db.$client.prepare('UPDATE audit_mails SET next_at = 0').run();
  await step('audit', { anchors: meter.anchors });
  // In a minute in which daily sums are also compared.
  await step('troubles', { now: () => deps.now() - (deps.now() % 300_000) });
  await addDueDump(deps);
  await step('dumps', { backups: meter.backups });
  await step('crm-sync', await withLongCrm(meter, deps));
  await changeAmounts(deps, attemptIds);
  await step('changed-amounts', { crm: changedCrm(deps) });
  await outliveAll(deps, accountId);
  await step('retention');
  await step('standing', await withOldKey(deps));
  await step('archives');
  await addDueClosing(deps);
  await step('closing');

  await cron('mails');
  await cron('silent-clinics');
  await cron('erasures');
  await fillMonitor(installation);
  await cron('tamper-monitor', { payPage: await differingPage(meter, installation) });
  await endArticles(installation);
  await cron('article-schedules');
  await cron('site-builds', { builder: builderOf(meter) });
  await cron('refusals');
  await cron('audit', { anchors: meter.anchors });
  await cron('anchors', { anchors: meter.anchors });
  await cron('keys');
  await addDueDump(installation);
  await cron('dumps', { backups: meter.backups });
  await fillAlerts(installation);
  await cron('alerts', { operatorChannel: receiverOf(meter), pause: async () => undefined });
  await outliveInstallation(installation);
  await cron('retention');
}

/** Adds more alerts than are sent in an hour, over many clinics, and one failed heartbeat per alert. */
async function fillAlerts(deps: Deps): Promise<void> {
  const at = deps.now();
  const alerts = Array.from({ length: 40 }, (_, n) => ({
    key: `job-overdue job-${n}`,
    event: 'job-overdue',
    subject: `job-${n}`,
    severity: 'now' as const,
    firstAt: at,
    lastAt: at,
    n: 1,
    fields: '{}',
    accounts: new Map(Array.from({ length: n === 0 ? 1000 : 1 }, (_, account) => [account, at])),
  }));
  await saveAlerts(deps.installation, alerts);
  await saveHeartbeats(
    deps.installation,
    alerts.map(({ subject }) => ({ job: subject, startedAt: 0, finishedAt: 0, ok: false })),
  );
}

/** A receiver of alerts, each call of which counts as a network call. */
const receiverOf = (meter: Meter): Deps['operatorChannel'] => ({
  post: async () => {
    meter.count();
    return 'sent';
  },
  sendHeartbeat: async () => true,
});

/** Adds as many audit events of one account as a run seals, and as many refusal counts as it merges. */
async function fillTrail({ db, clinic, now }: Deps): Promise<void> {
  const account = clinic === 0 ? 0 : 2;
  const numbers = (max: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${max})`;
  const d1 = db.$client;
  await d1.batch([
    d1
      .prepare(
        `${numbers(25)} INSERT INTO audit_refusals (account_id, session_id, action, hour, actor_kind, actor_id, ip_hash, route, n)
SELECT 1, 's' || n, 'access.refused', ?1, 'user', '1', '', '/x', 3 FROM numbers`,
      )
      .bind(now() - (now() % 3_600_000) - 3_600_000),
    d1
      .prepare(
        `${numbers(2000)} INSERT INTO audit_events (account_id, seq, id, at, actor_kind, actor_id, session_id, ip_hash, action,
  subject_kind, subject_id, before, after, request_id)
SELECT ?2, n + coalesce((SELECT max(seq) FROM audit_events WHERE account_id = ?2), 0), 'e' || n, ?1, 'user', '1', 's', 'ip',
  'footer.changed', 'merchant', '2', '', '{}', '' FROM numbers`,
      )
      .bind(now(), account),
  ]);
}

/** Adds as many merchants as one run reconciles. */
async function addMerchants({ db, now }: Deps): Promise<void> {
  const [terminal] = await db.select().from(terminals).where(eq(terminals.accountId, accountId)).limit(1);
  if (!terminal) throw new Error('no terminal');
  for (let id = 1; id <= 4; id++) {
    const account = { accountId: id, name: 'Hub', domain: 'hub.example', timeZone: 'UTC', connectedAt: 0 };
    await db.insert(accountTable).values(account);
    await db.insert(terminals).values({ ...terminal, accountId: id });
  }
  await createCursors(db, now());
  await db.update(reconciliationCursors).set({ nextAt: 0, readFrom: 0, readUntil: 0, resumeFrom: null });
}

/** Adds a day of monitor runs and script versions past their retention period. */
async function fillMonitor({ db, now }: Deps): Promise<void> {
  const at = now() - 2 * 366 * DAY_MS;
  for (const id of ids('run')) {
    await db.insert(monitorRuns).values({ id, source: 'inside', startedAt: at, finishedAt: at, evidenceKey: id });
    await db.insert(scriptVersions).values({ sha256: id, bytes: 1, type: '', firstSeenAt: at, lastSeenAt: at });
  }
  await db.$client.prepare('UPDATE clinics SET takes_google_pay = 1').run();
}

/** Schedules as many public articles to end now as one run withdraws. */
async function endArticles({ db }: Deps): Promise<void> {
  const { meta } = await db.$client
    .prepare(
      `INSERT INTO article_schedules (article_id, ends_at)
        SELECT id, 1 FROM articles WHERE status = 'PUBLISHED' AND trashed_at IS NULL LIMIT ?`,
    )
    .bind(ARTICLES)
    .run();
  if (meta.changes < ARTICLES) throw new Error(`only ${meta.changes} articles are public`);
}

/** A site builder, each call of which counts as a network call. */
export const builderOf = (meter: Meter): Deps['builder'] => ({
  isConfigured: true,
  request: async () => {
    meter.count();
    return 'asked';
  },
});

/** A CRM with more records than one run syncs. */
async function withLongCrm(meter: Meter, deps: Deps): Promise<Deps> {
  const limit = { max: 110, remaining: 110, windowMs: 10_000 };
  const answer = async <T>(value: T) => {
    meter.count();
    return { ...value, limit };
  };
  const company = (n: number) => ({
    id: String(n),
    name: `Company ${n}`,
    address: '1 Elm St',
    city: 'Carmel',
    state: 'IN',
    zip: '46032',
    modifiedAt: n,
  });
  const crm = {
    ...deps.crm,
    listNewest: () => answer({ ids: [] }),
    countRecords: () => answer({ total: 100_000 }),
    listRecords: (_token: string, _kind: string, after: string | null) => {
      const first = Number(after ?? 0);
      const records = Array.from({ length: 5 }, (_, n) => company(first + n + 1));
      return answer({ records, next: String(first + 5) });
    },
  } as unknown as Crm;
  await deps.db
    .update(crmSyncs)
    .set({ requestedAt: 0, dueAt: 0, waitUntil: 0, leaseUntil: 0, firstPageAt: null, completeAt: null })
    .where(eq(crmSyncs.accountId, accountId));
  return { ...deps, crm, pause: async () => undefined };
}
