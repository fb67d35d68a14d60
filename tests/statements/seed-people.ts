import { AT, CLOCK, numbered } from './seed-parts.ts';

// The passkeys, PINs and codes of a clinic's staff, and their approvals and support views.

const MINUTE = 60_000;
/** One person per hundred invoices, with one passkey and one PIN. */
const PERSON = '1 + n / 100';

/** The ids of row n by column. */
export const idsOfPeople = (accountId: number, n: number): Record<string, string> => {
  const person = 1 + Math.floor(n / 100);
  return {
    'staff_passkeys.id': `k-${accountId}-${person}`,
    'staff_passkeys.handle': `kh-${accountId}-${person}`,
    'pins.hash': `pin-${accountId}-${person}`,
    'factor_codes.id': `f-${accountId}-${n}`,
    'approvals.id': `w-${accountId}-${n}`,
    'approvals.request_key': `wq-${accountId}-${n}`,
    'support_views.id': `y-${accountId}-${n}`,
  };
};

export const peopleAccount = [
  `INSERT INTO archives (account_id, kind, id, requested_at, due_at, ends_at) VALUES
    (?1, 'clinic', 'z-' || ?1, ${CLOCK}, ${CLOCK - 1000}, ${CLOCK + 60 * MINUTE})`,
];

export const peopleRows = [
  `${numbered} INSERT INTO staff_passkeys (id, account_id, user_id, handle, public_key, counter, transports, label, created_at)
    SELECT 'k-' || ?1 || '-' || (${PERSON}), ?1, ${PERSON}, 'kh-' || ?1 || '-' || (${PERSON}), 'p', 1, '', 'Phone', ${AT}
    FROM g WHERE n % 100 = 0`,
  `${numbered} INSERT INTO pins (account_id, user_id, hash, set_at)
    SELECT ?1, ${PERSON}, 'pin-' || ?1 || '-' || (${PERSON}), ${AT} FROM g WHERE n % 100 = 0`,
  // Each belongs to the session of its row and is still valid.
  `${numbered} INSERT INTO factor_codes (id, account_id, user_id, session_id, code_hash, created_at, ends_at)
    SELECT 'f-' || ?1 || '-' || n, ?1, ${PERSON}, 's-' || ?1 || '-' || n, 'c', ${AT}, ${CLOCK + 10 * MINUTE} FROM g`,
  // The newest are waiting, one of them past its deadline; the rest are decided. The requester may not refund alone.
  `${numbered} INSERT INTO approvals (id, account_id, attempt_id, kind, amount_cents, reason, request_key, requested_by, requested_at,
      ends_at, state, decided_by, decided_at)
    SELECT 'w-' || ?1 || '-' || n, ?1, 'a-' || ?1 || '-' || n, 'refund', 100, '', 'wq-' || ?1 || '-' || n, 1 + ${PERSON}, ${AT},
      iif(n = 1, ${CLOCK - MINUTE}, ${CLOCK + 60 * MINUTE}), iif(n < 3, 'waiting', 'approved'), iif(n < 3, NULL, 0),
      iif(n < 3, NULL, ${AT}) FROM g WHERE EXISTS (SELECT 1 FROM payment_attempts WHERE id = 'a-' || ?1 || '-' || n)`,
  `${numbered} INSERT INTO support_views (id, account_id, granted_by, granted_at, ends_at)
    SELECT 'y-' || ?1 || '-' || n, ?1, 1, ${AT}, ${AT} + ${60 * MINUTE} FROM g WHERE n % 100 = 0`,
];
