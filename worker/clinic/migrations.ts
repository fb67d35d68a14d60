import accounts from '../../migrations/clinic/0100_accounts.sql?raw';
import merchants from '../../migrations/clinic/0101_merchants.sql?raw';
import crmCopy from '../../migrations/clinic/0102_crm_copy.sql?raw';
import payments from '../../migrations/clinic/0103_payments.sql?raw';
import refunds from '../../migrations/clinic/0104_refunds.sql?raw';
import reconciliation from '../../migrations/clinic/0105_reconciliation.sql?raw';
import writeBack from '../../migrations/clinic/0106_write_back.sql?raw';
import mail from '../../migrations/clinic/0107_mail.sql?raw';
import audit from '../../migrations/clinic/0108_audit.sql?raw';
import dumps from '../../migrations/clinic/0109_dumps.sql?raw';
import lists from '../../migrations/clinic/0110_lists.sql?raw';
import { FIRST_MIGRATION, type Migration } from './migration.ts';

/** All migrations of a clinic's database, in order and without gaps in their numbers. */
export const clinicMigrations: readonly Migration[] = [
  accounts,
  merchants,
  crmCopy,
  payments,
  refunds,
  reconciliation,
  writeBack,
  mail,
  audit,
  dumps,
  lists,
].map((sql, index) => ({ number: FIRST_MIGRATION + index, sql }));

/** The number of the newest migration, which is the schema version of a clinic. */
export const CLINIC_SCHEMA = FIRST_MIGRATION + clinicMigrations.length - 1;
