import { addressHashes, depsOfClinic } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import {
  countLoginCodeAttempt,
  findClinicsByAddress,
  insertLoginCode,
  redeemLoginCode,
} from '#worker/data/directory/clinic-keys';
import { queueMail } from '#worker/data/mail/outbox';
import { findMemberByEmail } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import {
  type Caller,
  enforceRateLimits,
  ipRateLimit,
  type TooManyTries,
} from '#worker/domain/content/accounts/rate-limit';
import { type OpenSession, openSession } from '#worker/domain/merchants/session';
import { newMailedCode } from '#worker/domain/proofs/mailed-code';
import { boundTo } from '#worker/security/token-cipher';

export const CODE_LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;
const CODE_LIMITS = { perHour: 5, perDay: 10 };

/** The hash includes the browser's secret, so that read access to the table is not enough to try all codes. */
const codeHashOf = (deps: Deps, id: string, secret: string, code: string) => deps.sha256(`${id} ${secret} ${code}`);

const limitOf = (deps: Deps, caller: Caller) =>
  ipRateLimit(deps, 'login-code', caller, deps.settings.LOGIN_TRIES_PER_IP, deps.settings.LOGIN_TRIES_PER_UNKNOWN_IP);

/**
 * `browser`: the cookie value for the caller. `mail` has to run after the response, so that neither the response nor
 * its time reveals whether a clinic knows the address.
 */
export type CodeRequest = { kind: 'asked'; browser: string; mail: () => Promise<string | null> };

/** Creates a code for an address, known or not. It is valid for ten minutes, in the requesting browser only. */
export async function requestCode(deps: Deps, email: string, caller: Caller): Promise<CodeRequest | TooManyTries> {
  const rateLimitRefusal = await enforceRateLimits(deps, [await limitOf(deps, caller)], 'login');
  if (rateLimitRefusal) return rateLimitRefusal;
  const [id, secret, code, createdAt] = [deps.newId(), deps.newSecret(), await newMailedCode(deps), deps.now()];
  const [addressHash = ''] = addressHashes(deps.settings.CAPABILITY_KEYS, email);
  const row = {
    id,
    addressHash,
    codeHash: await codeHashOf(deps, id, secret, code),
    browserHash: await deps.sha256(secret),
    createdAt,
    endsAt: createdAt + CODE_LIFETIME_MS,
  };
  const isStored = await insertLoginCode(deps.installation, row, CODE_LIMITS);
  return {
    kind: 'asked',
    browser: `${id}.${secret}`,
    mail: async () => (isStored ? queueCodeMail(deps, email, id, code) : null),
  };
}

/** Queues the email with a code. Null if no clinic knows this address. */
async function queueCodeMail(deps: Deps, email: string, id: string, code: string): Promise<string | null> {
  if ((await membersOf(deps, email)).length === 0) return null;
  const mailId = `login-code-${id}`;
  const token = await deps.sealer.seal(code, boundTo.mail(mailId));
  await queueMail(
    deps.installation,
    { id: mailId, kind: 'login-code', recipient: email, details: { token } },
    deps.now(),
  );
  return mailId;
}

/** The staff member with this address in each clinic. The clinics are queried, since the directory may be outdated. */
async function membersOf(deps: Deps, email: string) {
  const clinics = await findClinicsByAddress(deps.installation, addressHashes(deps.settings.CAPABILITY_KEYS, email));
  const matches = await Promise.all(
    clinics.map(async ({ clinic, accountId, name }) => {
      const clinicDeps = depsOfClinic(deps, clinic);
      const member = await unlessErased(findMemberByEmail(clinicDeps.db, accountId, email));
      return member ? [{ clinicDeps, clinic, name, accountId, userId: member.userId }] : [];
    }),
  );
  return matches.flat();
}

export type CodeLoginOutcome =
  | { kind: 'logged-in'; session: OpenSession }
  /** Several clinics know the address; the code stays valid for the clinic that is chosen. */
  | { kind: 'choose'; clinics: { clinic: number; name: string }[] }
  | { kind: 'wrong' }
  | TooManyTries;

/** Logs in with a mailed code, in the browser that requested it. All failures get the same response. */
export async function logInByCode(
  deps: Deps,
  { email, code, clinic }: { email: string; code: string; clinic?: number | undefined },
  browser: string | undefined,
  caller: Caller,
  label: string,
): Promise<CodeLoginOutcome> {
  const rateLimitRefusal = await enforceRateLimits(deps, [await limitOf(deps, caller)], 'login');
  if (rateLimitRefusal) return rateLimitRefusal;
  const outcome = await redeemCode(deps, { email, code, clinic }, browser, label);
  if (outcome.kind !== 'wrong') return outcome;
  deps.log.info('login-failed', { reason: 'code' });
  await countAnonymousRefusal(deps, 'login.refused', '/api/session');
  return outcome;
}

async function redeemCode(
  deps: Deps,
  { email, code, clinic }: { email: string; code: string; clinic: number | undefined },
  browser: string | undefined,
  label: string,
): Promise<Exclude<CodeLoginOutcome, TooManyTries>> {
  const [, id = '', secret = ''] = /^([0-9a-f]{32})\.([\w-]{20,40})$/.exec(browser ?? '') ?? [];
  const browserHash = await deps.sha256(secret);
  const row = await countLoginCodeAttempt(deps.installation, { id, browserHash }, MAX_TRIES, deps.now());
  const isCorrect = row?.codeHash === (await codeHashOf(deps, id, secret, code));
  if (!row || !isCorrect || !addressHashes(deps.settings.CAPABILITY_KEYS, email).includes(row.addressHash))
    return { kind: 'wrong' };
  const members = (await membersOf(deps, email)).filter((member) => clinic === undefined || member.clinic === clinic);
  const [member, otherMember] = members;
  if (!member) return { kind: 'wrong' };
  if (otherMember)
    return { kind: 'choose', clinics: members.map((choice) => ({ clinic: choice.clinic, name: choice.name })) };
  if (!(await redeemLoginCode(deps.installation, id, deps.now()))) return { kind: 'wrong' };
  const { clinicDeps, accountId, userId } = member;
  const session = await openSession(clinicDeps, { accountId, userId }, { beganBy: 'code', label });
  return session ? { kind: 'logged-in', session } : { kind: 'wrong' };
}
