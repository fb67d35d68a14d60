import { primaryKey } from 'drizzle-orm/sqlite-core';
import { findingKinds } from '#shared/contracts/operators/monitor';
import { DAY, deleteAfter, ONE_YEAR, plain, table } from './table.ts';

/** Alerts for the operator, the accounts that they affect, and the last run of each scheduled job. */

export const severities = ['now', 'daily'] as const;
export type Severity = (typeof severities)[number];

export const alerts = table(
  'alerts',
  {
    row: 'one problem that needs the operator, however often it occurs; the key is its event and subject',
    lifetime: {
      rules: [deleteAfter('closed_at', 400 * DAY, 'alerts_closed', 'closed_at IS NOT NULL')],
      why:
        'thirteen months show when a problem occurred and was reported; ' +
        'it names accounts, and no person except the operator who acknowledged it',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    key: plain.text('key').primaryKey(),
    event: plain.text('event').notNull(),
    subject: plain.text('subject').notNull(),
    severity: plain.text('severity', { enum: severities }).notNull(),
    firstAt: plain.integer('first_at').notNull(),
    lastAt: plain.integer('last_at').notNull(),
    n: plain.integer('n').notNull(),
    accounts: plain.integer('accounts').notNull().default(0),
    toldAt: plain.integer('told_at'),
    toldN: plain.integer('told_n').notNull().default(0),
    toldAccounts: plain.integer('told_accounts').notNull().default(0),
    ackedAt: plain.integer('acked_at'),
    ackedBy: plain.text('acked_by').notNull().default(''),
    closedAt: plain.integer('closed_at'),
    closedAs: plain
      .text('closed_as', { enum: ['', 'over', 'silent'] })
      .notNull()
      .default(''),
    fields: plain.text('fields').notNull().default('{}'),
  },
);
export type AlertRow = typeof alerts.$inferSelect;

export const alertAccounts = table(
  'alert_accounts',
  {
    row: 'one account that an open alert affects; 0 is the installation',
    lifetime: {
      row: 'until the account is in order again, its clinic is erased, or the alert is closed',
      rules: [],
      why: 'the current state only',
    },
    copies: { none: 'the schedule measures it again' },
    key: ['key', 'account'],
  },
  {
    key: plain.text('key').notNull(),
    account: plain.integer('account').notNull(),
    firstAt: plain.integer('first_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.account] })],
);
export type AffectedRow = typeof alertAccounts.$inferSelect;

export const heartbeats = table(
  'heartbeats',
  {
    row: `the last run of one job in the installation's schedule`,
    lifetime: { row: 'forever', rules: [], why: 'one row per job' },
    copies: { none: 'the next run writes it again' },
  },
  {
    job: plain.text('job').primaryKey(),
    startedAt: plain.integer('started_at').notNull(),
    finishedAt: plain.integer('finished_at').notNull(),
    ok: plain.integer('ok', { mode: 'boolean' }).notNull(),
    ms: plain.integer('ms').notNull(),
    okAt: plain.integer('ok_at').notNull(),
  },
);
export type Heartbeat = typeof heartbeats.$inferSelect;

/** Versions of the card provider's script with their approvals, checks of the pay page, and their findings. */

export const scriptVersions = table(
  'script_versions',
  {
    row: `one version of a browser script of others, such as the card provider's, by its hash`,
    lifetime: {
      rules: [{ does: 'delete', what: 'row and body', column: 'last_seen_at', ms: ONE_YEAR, apart: true }],
      why: 'twelve months of evidence, as the card industry requires',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    sha256: plain.text().primaryKey(),
    bytes: plain.integer().notNull(),
    type: plain.text().notNull(),
    firstSeenAt: plain.integer('first_seen_at').notNull(),
    lastSeenAt: plain.integer('last_seen_at').notNull(),
    approvedAt: plain.integer('approved_at'),
    approvedBy: plain.text('approved_by').notNull().default(''),
    reason: plain.text().notNull().default(''),
  },
);
export type ScriptVersion = typeof scriptVersions.$inferSelect;

export const monitorSources = ['inside', 'outside'] as const;
export type MonitorSource = (typeof monitorSources)[number];

export const monitorRuns = table(
  'monitor_runs',
  {
    row: 'one check of the pay page, from inside or outside',
    lifetime: {
      rules: [{ does: 'delete', what: 'row and evidence', column: 'started_at', ms: ONE_YEAR, apart: true }],
      why: 'twelve months of evidence, as the card industry requires',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text().primaryKey(),
    source: plain.text({ enum: monitorSources }).notNull(),
    startedAt: plain.integer('started_at').notNull(),
    finishedAt: plain.integer('finished_at'),
    findings: plain.integer().notNull().default(0),
    evidenceKey: plain.text('evidence_key').notNull().default(''),
  },
);

export const monitorFindings = table(
  'monitor_findings',
  {
    row: 'one difference that checks of the pay page found; one row as long as it is open',
    lifetime: {
      rules: [deleteAfter('closed_at', ONE_YEAR, 'monitor_findings_closed', 'closed_at IS NOT NULL')],
      why: 'twelve months of evidence, as the card industry requires; an open finding stays',
    },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    id: plain.text().primaryKey(),
    source: plain.text({ enum: monitorSources }).notNull(),
    kind: plain.text({ enum: findingKinds }).notNull(),
    subject: plain.text().notNull(),
    expected: plain.text().notNull(),
    seen: plain.text().notNull(),
    firstSeenAt: plain.integer('first_seen_at').notNull(),
    lastSeenAt: plain.integer('last_seen_at').notNull(),
    timesSeen: plain.integer('times_seen').notNull().default(1),
    lastRunId: plain.text('last_run_id').notNull(),
    closedAt: plain.integer('closed_at'),
    closedAs: plain
      .text('closed_as', { enum: ['', 'gone', 'approved'] })
      .notNull()
      .default(''),
  },
);
export type FindingRow = typeof monitorFindings.$inferSelect;
