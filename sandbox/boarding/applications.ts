import { randomBytes } from 'node:crypto';
import { hubs, merchantIds, pendingMerchant } from '../credentials.ts';
import type { World } from '../world.ts';

export type Status = 'Applied' | 'Signed' | 'Pended' | 'Manual Review' | 'Approved' | 'Declined' | 'Boarded';

export type Application = {
  /** The merchant's 16-digit number, assigned with the application. */
  merchant_number: string;
  /** Last part of the application's address. */
  token: string;
  hub_id: number | null;
  dba_name: string;
  email: string;
  mcc_code: string;
  status: Status;
  created_ms: number;
};

const APPLICATION_PATH = '/onboarding/applications/';
const FIRST_NUMBER = 6_588_000_004_520_017;
const DAY_MS = 86_400_000;

export const applicationUrl = (world: World, { token }: Application) => `${world.publicUrl}${APPLICATION_PATH}${token}`;

/** All applications, oldest first. */
export const listApplications = (world: World) =>
  world.store.all<Application>('SELECT * FROM applications ORDER BY created_ms, merchant_number');

export const findApplication = (world: World, merchantNumber: string) =>
  world.store.get<Application>('SELECT * FROM applications WHERE merchant_number = ?', merchantNumber);

export const findApplicationByToken = (world: World, token: string) =>
  world.store.get<Application>('SELECT * FROM applications WHERE token = ?', token);

export function setStatus(world: World, application: Application, status: Status) {
  world.store.run('UPDATE applications SET status = ? WHERE merchant_number = ?', status, application.merchant_number);
}

function insertApplication(world: World, application: Application) {
  world.store.run(
    `INSERT OR IGNORE INTO applications (merchant_number, token, hub_id, dba_name, email, mcc_code, status, created_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    application.merchant_number,
    application.token,
    application.hub_id,
    application.dba_name,
    application.email,
    application.mcc_code,
    application.status,
    application.created_ms,
  );
}

/** Seeds a boarded application for hub 1 and a pending one for hub 3. Existing applications stay unchanged. */
export function seedApplications(world: World) {
  const [first, , third] = hubs;
  const created_ms = world.now() - 3 * DAY_MS;
  const seedData = [
    {
      hub: first,
      merchant_number: merchantIds[first.hubId] ?? '',
      token: 'kT5mQy2R9vWc0aJd4sNf8g',
      mcc_code: '8021',
      status: 'Boarded' as const,
      created_ms: created_ms - 400 * DAY_MS,
    },
    {
      hub: third,
      merchant_number: pendingMerchant.merchantNumber,
      token: pendingMerchant.applicationPath.slice(APPLICATION_PATH.length),
      mcc_code: '0742',
      status: 'Applied' as const,
      created_ms,
    },
  ];
  for (const { hub, ...rest } of seedData)
    insertApplication(world, { ...rest, hub_id: hub.hubId, dba_name: hub.name, email: hub.users[0]?.email ?? '' });
}

/** Creates a new application on every call, as the provider does. Merchant numbers are never reused. */
export function addApplication(world: World, applicant: { dba_name: string; email: string; mcc_code: string }) {
  const next = Number(world.store.meta('next-merchant') ?? FIRST_NUMBER);
  world.store.setMeta('next-merchant', String(next + 13));
  const application: Application = {
    ...applicant,
    merchant_number: String(next),
    token: randomBytes(16).toString('base64url'),
    hub_id: hubIdOf(applicant),
    status: 'Applied',
    created_ms: world.now(),
  };
  insertApplication(world, application);
  return application;
}

/** Finds the account with the applicant's email domain or name, because the provider does not know CRM accounts. */
function hubIdOf({ dba_name, email }: { dba_name: string; email: string }): number | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const name = dba_name.toLowerCase();
  const hub =
    hubs.find((candidate) => candidate.domain === domain) ??
    hubs.find((candidate) => name.includes(candidate.name.toLowerCase()));
  return hub?.hubId ?? null;
}
