import { type ExportTable, ROWID } from './tables.ts';

/** A table whose rows are found by their row ids. */
const plain = (name: string): ExportTable => ({ name, key: ROWID, kept: false });

/** The tables of the installation's nightly dump, each after those that it refers to. */
export const installationDump: readonly ExportTable[] = [
  ...['content_users', 'content_passkeys', 'content_setup', 'media'].map(plain),
  { ...plain('articles'), atOnce: 20 },
  { ...plain('article_revisions'), atOnce: 20 },
  { ...plain('article_drafts'), atOnce: 20 },
  ...['article_schedules', 'article_slugs', 'article_media', 'site_state', 'clinics'].map(plain),
  { name: 'clinic_keys', key: ['kind', 'key', 'clinic'], kept: false },
  ...['operators', 'operator_passkeys', 'operator_codes', 'payment_switch', 'retired_keys'].map(plain),
  ...['script_versions', 'monitor_runs', 'monitor_findings', 'alerts', 'outbox'].map(plain),
  { name: 'audit_seals', key: ['account_id', 'from_seq'], kept: false },
  { name: 'audit_events', key: ['account_id', 'seq'], kept: false },
];

/** Tables of the installation that no dump has, with the reason. */
export const notDumped: Record<string, string> = {
  content_sessions: 'people log in again',
  operator_sessions: 'people log in again',
  content_invitations: 'good for some days: people are invited again',
  content_recovery_codes: 'people make new ones with their passkey',
  content_resets: 'good for an hour',
  operator_challenges: 'good for some minutes',
  login_states: 'good for some minutes',
  login_codes: 'good for some minutes',
  staff_addresses: 'each clinic tells of its staff every quarter of an hour',
  handoff_codes: 'good for a minute',
  content_throttles: 'counts of the last hours',
  declines: 'counts of the last hour',
  audit_refusals: 'counts of the last hour',
  audit_checks: 'the chain is recomputed from its beginning',
  alert_accounts: 'measured anew',
  heartbeats: 'written anew with the next run of the schedule',
  bucket_cursors: 'how far a walk is',
  mail_events: 'what they told is in the outbox',
  site_builds: 'the site is built again',
  dumps: 'how far the dump is',
  dump_tables: 'how far the dump is',
  waiting_triggers: 'of a restore that is under way',
};
