import accounts from '../../migrations/clinic/0100_accounts.sql?raw';
import merchants from '../../migrations/clinic/0101_merchants.sql?raw';
import crmCopy from '../../migrations/clinic/0102_crm_copy.sql?raw';
import payments from '../../migrations/clinic/0103_payments.sql?raw';
import refunds from '../../migrations/clinic/0104_refunds.sql?raw';
import lists from '../../migrations/clinic/0105_lists.sql?raw';
import reconciliation from '../../migrations/clinic/0106_reconciliation.sql?raw';
import writeBack from '../../migrations/clinic/0107_write_back.sql?raw';
import mail from '../../migrations/clinic/0108_mail.sql?raw';
import audit from '../../migrations/clinic/0109_audit.sql?raw';
import dumps from '../../migrations/clinic/0110_dumps.sql?raw';
import { FIRST_MIGRATION, type Migration } from './migration.ts';

/** SQLite stores the text of each statement, so comments would take up pages in the database of every clinic. */
const withoutComments = (sql: string): string => sql.replace(/^\s*--.*\n/gm, '');

/** All migrations of a clinic's database, in order and without gaps in their numbers. */
export const clinicMigrations: readonly Migration[] = [
  accounts,
  merchants,
  crmCopy,
  payments,
  refunds,
  lists,
  reconciliation,
  writeBack,
  mail,
  audit,
  dumps,
].map((sql, index) => ({ number: FIRST_MIGRATION + index, sql: withoutComments(sql) }));

/** The number of the newest migration, which is the schema version of a clinic. */
export const CLINIC_SCHEMA = FIRST_MIGRATION + clinicMigrations.length - 1;
