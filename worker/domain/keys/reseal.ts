import { haveAllReported, listOlderKeys } from '#worker/data/directory/status-reports';
import {
  type KeyName,
  listSealedWith,
  noteRetiredKeys,
  type Resealed,
  replaceSealed,
  type SealedValues,
} from '#worker/data/keys/sealed-values';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { boundTo, keyIds } from '#worker/security/token-cipher';

/** Maximum rows per place that one run reseals. */
const ROWS = 50;
/** A clinic's last report older than this (ms) may predate the newest key, so the keys that it needs are unknown. */
const STALE_MS = 12 * 3_600_000;

/** `inUse`: older keys that still seal a value; `isMore`: true if another run is needed. */
export type Resealing = { inUse: string[]; isMore: boolean };

/**
 * Reseals the values in this database that were sealed with an older key, using the newest key of TOKEN_KEYS. A row
 * that cannot be opened stays as it is, with an alert: its vendor cannot be called.
 */
export async function resealSecrets(deps: Deps): Promise<Resealing> {
  const { db, sealer } = deps;
  const { older } = sealer.keys;
  if (older.length === 0) return { inUse: [], isMore: false };
  const sealed = await listSealedWith(db, deps.clinic === 0 ? 'installation' : 'clinic', older, ROWS);
  const resealed = await Promise.all([
    ...sealed.grants.map((was) => guarded(deps, { accountId: was.account_id }, () => resealGrant(deps, was))),
    ...sealed.terminals.map((was) => guarded(deps, { accountId: was.account_id }, () => resealTerminal(deps, was))),
    ...sealed.mails.map((was) => guarded(deps, { mailId: was.id }, () => resealMail(deps, was))),
  ]);
  const done = resealed.filter((row) => row !== null);
  await replaceSealed(db, done);
  // More rows, sealed with any older key, may follow a full page.
  if (Object.values(sealed).some((rows) => rows.length === ROWS)) return { inUse: older, isMore: done.length > 0 };
  const used = keysIn(sealed);
  return { inUse: older.filter((id) => used.has(id)), isMore: false };
}

/** For the installation's schedule: records since when each older key has been unused, here and in all clinics. */
export async function noteUnusedKeys(deps: Deps): Promise<void> {
  const { db, sealer, settings, now } = deps;
  const used = new Set((await resealSecrets(deps)).inUse);
  const [, ...olderSessionKeys] = keyIds(settings.SESSION_KEYS);
  const usedByClinics = await neededByClinics(deps);
  const unused: KeyName[] = [
    ...sealer.keys.older
      .filter((id) => !used.has(id) && !usedByClinics.has(id))
      .map((keyId) => ({ ring: 'TOKEN_KEYS', keyId }) as const),
    // Values signed with an older session key expire by themselves, and it signs no new ones.
    ...olderSessionKeys.map((keyId) => ({ ring: 'SESSION_KEYS', keyId }) as const),
  ];
  await noteRetiredKeys(db, unused, now());
}

async function neededByClinics({ installation, sealer, now }: Deps): Promise<Set<string>> {
  const { older } = sealer.keys;
  if (older.length === 0) return new Set();
  return (await haveAllReported(installation, now() - STALE_MS)) ? listOlderKeys(installation) : new Set(older);
}

/** The keys that sealed these rows. */
function keysIn({ grants, terminals, mails }: SealedValues): Set<string> {
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

async function resealGrant(deps: Deps, was: SealedValues['grants'][number]): Promise<Resealed> {
  const accessToken = await resealValue(deps, was.accessToken, boundTo.accessToken(was.account_id));
  const refreshToken = await resealValue(deps, was.refreshToken, boundTo.refreshToken(was.account_id));
  return { place: 'grants', was, is: { ...was, accessToken, refreshToken } };
}

async function resealTerminal(deps: Deps, was: SealedValues['terminals'][number]): Promise<Resealed> {
  const apiKey = await resealValue(deps, was.apiKey, boundTo.apiKey(was.account_id, was.terminal_id));
  return { place: 'terminals', was, is: { ...was, apiKey } };
}

async function resealMail(deps: Deps, was: SealedValues['mails'][number]): Promise<Resealed> {
  return { place: 'mails', was, is: { ...was, token: await resealValue(deps, was.token, boundTo.mail(was.id)) } };
}

async function guarded(
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
