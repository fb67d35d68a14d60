import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { findingKinds } from '#shared/contracts/monitor-request';

/** Versions of the provider's script with their approvals, looks at the pay page, and what differed. */

export const scriptVersions = sqliteTable('script_versions', {
  sha256: text().primaryKey(),
  bytes: integer().notNull(),
  type: text().notNull(),
  firstSeenAt: integer('first_seen_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  approvedAt: integer('approved_at'),
  approvedBy: text('approved_by').notNull().default(''),
  reason: text().notNull().default(''),
});
export type ScriptVersion = typeof scriptVersions.$inferSelect;

export const monitorSources = ['inside', 'outside'] as const;
export type MonitorSource = (typeof monitorSources)[number];

export const monitorRuns = sqliteTable('monitor_runs', {
  id: text().primaryKey(),
  source: text({ enum: monitorSources }).notNull(),
  startedAt: integer('started_at').notNull(),
  finishedAt: integer('finished_at'),
  findings: integer().notNull().default(0),
  evidenceKey: text('evidence_key').notNull().default(''),
});

export const monitorFindings = sqliteTable('monitor_findings', {
  id: text().primaryKey(),
  source: text({ enum: monitorSources }).notNull(),
  kind: text({ enum: findingKinds }).notNull(),
  subject: text().notNull(),
  expected: text().notNull(),
  seen: text().notNull(),
  firstSeenAt: integer('first_seen_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  timesSeen: integer('times_seen').notNull().default(1),
  lastRunId: text('last_run_id').notNull(),
  closedAt: integer('closed_at'),
  closedAs: text('closed_as', { enum: ['', 'gone', 'approved'] })
    .notNull()
    .default(''),
});
export type FindingRow = typeof monitorFindings.$inferSelect;
