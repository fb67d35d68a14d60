import { findingKinds } from '#shared/contracts/monitor-request';
import { deleteAfter, ONE_YEAR } from './lifetime.ts';
import { plain, table } from './table.ts';

/** Versions of the card provider's script with their approvals, checks of the pay page, and their findings. */

export const scriptVersions = table(
  'script_versions',
  {
    row: `one version of the card provider's browser script, by its hash`,
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
