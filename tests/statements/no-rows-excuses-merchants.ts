import type { Excuse } from './growth-excuses.ts';

/** The exceptions for statements of `worker/data/merchants/`. */
export const merchantExcuses: Excuse[] = [
  {
    file: 'worker/data/merchants/accounts.ts',
    pattern: /(?:invitations|"users")/,
    reason: 'Looks up an address of the test, or an invitation that is open only there.',
  },
  {
    file: 'worker/data/merchants/accounts.ts',
    pattern: /(?:invitations|update "users")/,
    reason: 'Looks up an address of the test, or an invitation that is open only there.',
  },
  {
    file: 'worker/data/merchants/accounts.ts',
    pattern: /insert into "crm_cursors"/,
    reason: 'Runs only for a new account.',
  },
  {
    file: 'worker/data/merchants/merchants.ts',
    pattern: /"merchants"/,
    reason: 'Runs only for a merchant not boarded yet.',
  },
  {
    file: 'worker/data/merchants/passkeys.ts',
    pattern: /insert into "staff_passkeys"|update "sessions"/,
    reason: 'Runs only for a person without a passkey, in the session that adds one.',
  },
  {
    file: 'worker/data/merchants/pay-page-settings.ts',
    pattern: /update "accounts" set "apple_pay_/,
    reason: 'Updates an account with Apple Pay; the drawn clinic takes only cards.',
  },
  {
    file: 'worker/data/merchants/pay-page-settings.ts',
    pattern: /update "invoices"/,
    reason: 'Removes the line items of bills; drawn invoices have none.',
  },
  {
    file: 'worker/data/merchants/proofs.ts',
    pattern: /insert into "(?:pins|audit_events)"|update "pins"/,
    reason: 'Runs only for a person without a PIN, or looks up the hash of a PIN that the test removes.',
  },
  {
    file: 'worker/data/merchants/staff-invitations.ts',
    pattern: /(?:invitations|"users")/,
    reason: 'Looks up an address of the test, or an invitation that is open only there.',
  },
  {
    file: 'worker/data/merchants/staff-invitations.ts',
    pattern: /invitations/,
    reason: 'Looks up an address of the test, or an invitation that is open only there.',
  },
  {
    file: 'worker/data/merchants/support-views.ts',
    pattern: /insert into/,
    reason: 'Runs only without a support view.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    pattern:
      /(?:invitations|COLLATE NOCASE|insert into "audit_events"|update "(?:sessions|users)"|delete from "(?:pins|staff_passkeys)")/,
    reason:
      'Looks up an address of the test, an invitation that is open only there, or a person whom the test removes.',
  },
];
