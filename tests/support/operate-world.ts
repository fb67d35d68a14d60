import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, vi } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { Books } from '#worker/clinic/books';
import { ofClinic } from '#worker/clinic/capability-keys';
import { openClinics } from '#worker/clinic/clinics';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { findSuccessor } from '#worker/data/operate/directory';
import { findDump, getManifest, listFolders } from '#worker/data/operate/dumps';
import { type After, countExport, exportTables, readPiece, withoutIn } from '#worker/data/operate/export';
import type { Deps, Env } from '#worker/deps';
import { reportStatus } from '#worker/domain/clinics/heartbeat';
import { clinicOfAccount, foundClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { dumpDatabase } from '#worker/domain/operate/dump';
import {
  beginRestoration,
  endRestoration,
  endRestorationOf,
  restorePiece,
  restoreRows,
} from '#worker/domain/operate/restore';

import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import { paymentForm } from './pay-form.ts';

let last = 70_000;
let first = last;

/** Call it at the top of a test file that makes clinics' objects: their clocks stand still, and they go with the test. */
export function useObjects(): void {
  beforeEach(() => void vi.spyOn(Books.prototype, 'alarm').mockResolvedValue());
  afterEach(async () => {
    while (first < last) await env.CLINICS.getByName(String(++first)).erase();
    vi.restoreAllMocks();
  });
}

/** The directory counts on behind the numbers of all earlier tests, whose objects may still be there. */
async function freshNumbers(): Promise<void> {
  const database = env.INSTALLATION;
  await database.batch([
    database.prepare('DELETE FROM clinic_keys'),
    database.prepare('DELETE FROM staff_addresses'),
    database.prepare('DELETE FROM clinics'),
    database.prepare('INSERT INTO clinics (number, founded_at) VALUES (?, 0)').bind(last),
    database.prepare('DELETE FROM clinics'),
  ]);
  last += 10;
}

const MAPLE = 'Maple Street Dental';

/** The first login through the CRM of the clinic that these tests are about. */
export const connectMaple = (own: Deps, accountId: number): Promise<unknown> =>
  connectAccount(
    own,
    {
      accountId,
      name: MAPLE,
      domain: 'maple.example',
      timeZone: 'America/Indiana/Indianapolis',
      phone: '317-555-0100',
    },
    { accessToken: 'a0', refreshToken: 'r0', expiresInS: 18_000_000, scopes: ['oauth'] },
  );

/** A clinic in an object of its own, whose CRM and gateway the test scripts, with a link to its first invoice. */
export async function clinicWorld() {
  const world = await makeWorld();
  const { accountId, installation } = world;
  // The world's own clinic is in a database of all accounts.
  await freshNumbers();
  const deps: Deps = {
    ...installation,
    clinics: openClinics(env.CLINICS as unknown as Env['CLINICS'], (clinic) =>
      findSuccessor(installation.installation, clinic),
    ),
    gateway: { ...installation.gateway, listBatches: async () => [] },
  };
  const own = await foundClinic(deps, accountId);
  await connectMaple(own, accountId);
  await boardTerminal(own, {
    accountId,
    terminalId: `T${accountId}`,
    name: 'Web',
    channel: 'ecommerce',
    publicKey: 'abc',
    apiKey: 'secret-key',
  });
  const link = await issuePayLink(own, accountId, world.invoiceId);
  if (!link) throw new Error('the link was not issued');
  await reportStatus(own);
  return {
    ...world,
    installation: deps,
    own,
    name: MAPLE,
    payId: link.payId,
    deps: (clinic: number) => ofClinic(deps, clinic),
  };
}

export type ClinicWorld = Awaited<ReturnType<typeof clinicWorld>>;

let paid = 0;
/** Pay that many new invoices. */
export async function pay(world: ClinicWorld, count: number): Promise<void> {
  const { own, accountId, crm } = world;
  for (let at = 0; at < count; at++) {
    const id = String(Number(world.invoiceId) + 1000 + ++paid);
    if (crm.invoice) crm.invoice = { ...crm.invoice, id, number: `INV-${id}` };
    const link = await issuePayLink(own, accountId, id);
    if (!link) throw new Error('the link was not issued');
    const outcome = await takePayment(own, link.payId, paymentForm(), { clientIp: null });
    if (outcome.kind !== 'approved') throw new Error(`not paid: ${outcome.kind}`);
  }
}

export type Exported = { rows: Record<string, object[]>; counts: Record<string, number>; ledgerCents: number };

/** All rows of a clinic's export. */
export async function exported(world: ClinicWorld): Promise<Exported> {
  const own = await clinicOfAccount(world.installation, world.accountId);
  if (!own) throw new Error('there is no clinic');
  const { counts, ledgerCents } = await countExport(own.db);
  const rows: Record<string, object[]> = {};
  for (const table of exportTables) {
    const some: object[] = [];
    let after: After | null = null;
    do {
      const asked = { after, limit: 500, without: withoutIn(table, false) };
      const piece: Awaited<ReturnType<typeof readPiece>> = await readPiece(own.db, table, asked);
      some.push(...piece.rows);
      after = piece.next;
    } while (after);
    rows[table.name] = some;
  }
  return { rows, counts, ledgerCents };
}

/** Puts all of an export back; answers the new clinic's number. */
export async function putBackAll({ installation, accountId }: ClinicWorld, from: Exported): Promise<number> {
  const begun = await beginRestoration(installation, accountId, CLINIC_SCHEMA);
  if (begun.kind !== 'begun') throw new Error(begun.kind);
  for (const [table, rows] of Object.entries(from.rows))
    if ((await restoreRows(installation, begun.clinic, table, rows as never)).kind !== 'back')
      throw new Error(`not put back: ${table}`);
  const ended = await endRestoration(installation, begun.clinic, { account: accountId, ...from });
  if (ended.kind !== 'ended') throw new Error(JSON.stringify(ended));
  return begun.clinic;
}

/** Lets a clinic, or the installation, be dumped; answers the dump's folder. */
export async function dumped({ clock, installation }: ClinicWorld, deps: Deps): Promise<string> {
  const last = (await findDump(deps.db))?.endedAt;
  for (let turns = 0; turns < 20; turns++) {
    await dumpDatabase(deps);
    const dump = await findDump(deps.db);
    if (last !== undefined && dump && dump.endedAt > last) break;
    if (dump && dump.tries === 0 && dump.folder === '' && dump.month !== '') break;
    clock.now = Math.max(clock.now, dump?.dueAt ?? 0);
  }
  const folder = (await listFolders(installation.backups, deps.clinic)).at(-1);
  if (!folder) throw new Error('nothing was dumped');
  return folder;
}

/** Puts the account back from a dump; answers the new clinic's number. */
export async function restoredFrom({ installation, accountId }: ClinicWorld, folder: string): Promise<number> {
  const manifest = await getManifest(installation.backups, folder);
  const begun = await beginRestoration(installation, accountId, manifest?.schema ?? 0);
  if (begun.kind !== 'begun' || !manifest) throw new Error(begun.kind);
  for (const at of manifest.pieces.keys()) {
    const put = await restorePiece(installation, begun.clinic, folder, at);
    if (put.kind !== 'back') throw new Error(`${JSON.stringify(put)}: ${manifest.pieces[at]?.key}`);
  }
  const ended = await endRestorationOf(installation, begun.clinic, accountId, folder);
  if (ended.kind !== 'ended') throw new Error(JSON.stringify(ended));
  return begun.clinic;
}
