import './monitoring.ts';
import './totals.ts';
import './audit.ts';
import './payments.ts';
import './content.ts';
import './content-accounts.ts';
import './crm.ts';
import './directory.ts';
import './operate.ts';
import './invoices.ts';
import './mail.ts';
import './mail-plans.ts';
import './merchants.ts';
import './operators.ts';
import './proofs.ts';
import './reconciliation.ts';
import './refunds.ts';
import { type DeclaredTable, declarationOf, rawTable } from './table.ts';

/**
 * All tables, by database. Exports, dumps and restores follow this order: each table comes after the tables that it
 * refers to. schema.test.ts compares the lists with the migrations.
 */
const CLINIC = `
accounts closings crm_tokens users payment_notices staff_passkeys merchants merchant_logs terminals contacts
companies invoices pay_links payment_attempts collections ledger reversals approvals batch_closes batches page_views
gateway_transactions reconciliation_cursors resolutions reversal_resolutions invoice_signatures reminder_plans
reminders reminder_exclusions crm_write_settings crm_writes reminder_opt_outs outbox mail_addresses audit_mails
audit_seals audit_events
clinic sessions invitations support_views pins factor_codes taken_challenges crm_sync_states crm_cursors
refused_tokens refused_keys daily_totals list_counts owed_totals owing_customers invoice_search customer_search
mail_events mail_days mailings mailing_invoices archives status_reports audit_refusals audit_checks dumps
dump_tables waiting_triggers bucket_cursors
`;
const INSTALLATION = `
content_users content_passkeys content_setup media articles article_revisions article_drafts article_schedules
article_slugs article_media site_state clinics clinic_keys operators operator_passkeys operator_codes payment_switch
retired_keys script_versions monitor_runs monitor_findings alerts outbox audit_seals audit_events
alert_accounts heartbeats audit_checks audit_refusals content_sessions content_recovery_codes content_invitations
content_resets content_throttles site_builds staff_addresses login_codes login_states handoff_codes declines
operator_sessions operator_challenges mail_events dumps dump_tables bucket_cursors waiting_triggers
`;

rawTable('clinic', {
  row: 'the clinic of this database, with its number in the directory',
  lifetime: { row: 'forever', rules: [], why: 'one row; an object without it answers that there is no clinic' },
  copies: { none: 'the object’s own record of its number' },
});

const tablesOf = (names: string): readonly DeclaredTable[] => names.trim().split(/\s+/).map(declarationOf);
export const clinicTables = tablesOf(CLINIC);
export const installationTables = tablesOf(INSTALLATION);
