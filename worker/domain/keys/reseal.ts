import { haveAllReported, listOlderKeys } from '#worker/data/directory/status-reports';
import {
  type KeyName,
  listSealedWith,
  type Resealed,
  recordRetiredKeys,
  replaceSealed,
  type SealedValues,
} from '#worker/data/keys/sealed-values';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { boundTo, keyIds } from '#worker/security/token-cipher';

/** The maximum number of rows per table that one run reseals. */
const MAX_ROWS_PER_TABLE = 50;
/** A clinic's last report older than this (ms) may predate the newest key, so the keys that it needs are unknown. */
const MAX_REPORT_AGE_MS = 12 * 3_600_000;

/** `inUse`: older keys that still seal a value; `isMore`: true if another run is needed. */
export type ResealResult = { inUse: string[]; isMore: boolean };

/**
 * Reseals the values in this database that were sealed with an older key, using the newest key of TOKEN_KEYS. A row
 * that cannot be opened stays as it is and raises an alert, because its vendor cannot be called.
 */
export async function resealSecrets(deps: Deps): Promise<ResealResult> {
  const { db, sealer } = deps;
  const { older } = sealer.keys;
  if (older.length === 0) return { inUse: [], isMore: false };
  const sealed = await listSealedWith(db, deps.clinic === 0 ? 'installation' : 'clinic', older, MAX_ROWS_PER_TABLE);
  const resealed = await Promise.all([
    ...sealed.grants.map((row) => resealOrAlert(deps, { accountId: row.account_id }, () => resealGrant(deps, row))),
    ...sealed.terminals.map((row) =>
      resealOrAlert(deps, { accountId: row.account_id }, () => resealTerminal(deps, row)),
    ),
    ...sealed.mails.map((row) => resealOrAlert(deps, { mailId: row.id }, () => resealMail(deps, row))),
  ]);
  const resealedRows = resealed.filter((row) => row !== null);
  await replaceSealed(db, resealedRows);
  // More rows, sealed with any older key, may follow a full page.
  if (Object.values(sealed).some((rows) => rows.length === MAX_ROWS_PER_TABLE))
    return { inUse: older, isMore: resealedRows.length > 0 };
  const usedKeys = sealingKeysOf(sealed);
  return { inUse: older.filter((id) => usedKeys.has(id)), isMore: false };
}

/** For the installation's schedule: records when each older key became unused, here and in all clinics. */
export async function recordUnusedKeys(deps: Deps): Promise<void> {
  const { db, sealer, settings, now } = deps;
  const usedKeys = new Set((await resealSecrets(deps)).inUse);
  const [, ...olderSessionKeys] = keyIds(settings.SESSION_KEYS);
  const keysNeededByClinics = await listKeysNeededByClinics(deps);
  const unusedKeys: KeyName[] = [
    ...sealer.keys.older
      .filter((id) => !usedKeys.has(id) && !keysNeededByClinics.has(id))
      .map((keyId) => ({ ring: 'TOKEN_KEYS', keyId }) as const),
    // Values signed with an older session key expire by themselves, and it signs no new ones.
    ...olderSessionKeys.map((keyId) => ({ ring: 'SESSION_KEYS', keyId }) as const),
  ];
  await recordRetiredKeys(db, unusedKeys, now());
}

async function listKeysNeededByClinics({ installation, sealer, now }: Deps): Promise<Set<string>> {
  const { older } = sealer.keys;
  if (older.length === 0) return new Set();
  return (await haveAllReported(installation, now() - MAX_REPORT_AGE_MS))
    ? listOlderKeys(installation)
    : new Set(older);
}

/** The keys that sealed these rows. */
function sealingKeysOf({ grants, terminals, mails }: SealedValues): Set<string> {
  const values = [
    ...grants.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]),
    ...terminals.map(({ apiKey }) => apiKey),
    ...mails.map(({ token }) => token),
  ];
  return new Set(values.map((value) => value.slice(0, value.indexOf('.'))));
}

async function resealValue({ sealer }: Deps, value: string, place: string): Promise<string> {
  return sealer.seal(await sealer.open(value, place), place);
}

async function resealGrant(deps: Deps, row: SealedValues['grants'][number]): Promise<Resealed> {
  const accessToken = await resealValue(deps, row.accessToken, boundTo.accessToken(row.account_id));
  const refreshToken = await resealValue(deps, row.refreshToken, boundTo.refreshToken(row.account_id));
  return { place: 'grants', previous: row, resealed: { ...row, accessToken, refreshToken } };
}

async function resealTerminal(deps: Deps, row: SealedValues['terminals'][number]): Promise<Resealed> {
  const apiKey = await resealValue(deps, row.apiKey, boundTo.apiKey(row.account_id, row.terminal_id));
  return { place: 'terminals', previous: row, resealed: { ...row, apiKey } };
}

async function resealMail(deps: Deps, row: SealedValues['mails'][number]): Promise<Resealed> {
  return {
    place: 'mails',
    previous: row,
    resealed: { ...row, token: await resealValue(deps, row.token, boundTo.mail(row.id)) },
  };
}

async function resealOrAlert(
  { log }: Deps,
  fields: Record<string, string | number>,
  work: () => Promise<Resealed>,
): Promise<Resealed | null> {
  try {
    return await work();
  } catch (cause) {
    log.alert('secret-not-resealed', { ...fields, cause: causeOf(cause) });
    return null;
  }
}
