import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, vi } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { openClinics } from '#worker/clinic/clinics';
import { Books } from '#worker/clinic/database-and-alarm';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { findSuccessor } from '#worker/data/operate/directory';
import { findDump, getManifest, listDumpFolders } from '#worker/data/operate/dumps';
import { columnsOmittedFrom, countExport, exportTables, type RowKey, readPiece } from '#worker/data/operate/export';
import type { Deps, Env } from '#worker/deps';
import { reportStatus } from '#worker/domain/clinics/heartbeat';
import { clinicOfAccount, findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { dumpDatabase } from '#worker/domain/operate/dump';
import {
  beginRestoration,
  endDumpRestoration,
  endRestoration,
  restorePiece,
  restoreRows,
} from '#worker/domain/operate/restore';

import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import { paymentForm } from './pay-form.ts';

let lastNumber = 70_000;
let firstNumber = lastNumber;

/** Call it at the top of a test file that makes clinic objects. Stops their alarms and erases them after each test. */
export function useObjects(): void {
  beforeEach(() => void vi.spyOn(Books.prototype, 'alarm').mockResolvedValue());
  afterEach(async () => {
    while (firstNumber < lastNumber) await env.CLINICS.getByName(String(++firstNumber)).erase();
    vi.restoreAllMocks();
  });
}

/** Moves the directory's counter past the numbers of all earlier tests, whose objects may still exist. */
async function freshNumbers(): Promise<void> {
  const database = env.INSTALLATION;
  await database.batch([
    database.prepare('DELETE FROM clinic_keys'),
    database.prepare('DELETE FROM staff_addresses'),
    database.prepare('DELETE FROM clinics'),
    database.prepare('INSERT INTO clinics (number, founded_at) VALUES (?, 0)').bind(lastNumber),
    database.prepare('DELETE FROM clinics'),
  ]);
  lastNumber += 10;
}

const MAPLE = 'Maple Street Dental';

/** Connects the clinic of these tests, like its first login through the CRM. */
export const connectMaple = (deps: Deps, accountId: number): Promise<unknown> =>
  connectAccount(
    deps,
    {
      accountId,
      name: MAPLE,
      domain: 'maple.example',
      timeZone: 'America/Indiana/Indianapolis',
      phone: '317-555-0100',
    },
    { accessToken: 'a0', refreshToken: 'r0', expiresInS: 18_000_000, scopes: ['oauth'] },
  );

/** A clinic in its own object, with a scripted CRM and gateway and a link to its first invoice. */
export async function clinicWorld() {
  const world = await makeWorld();
  const { accountId, installation } = world;
  // The world's original clinic is in a database shared by all accounts.
  await freshNumbers();
  const deps: Deps = {
    ...installation,
    clinics: openClinics(env.CLINICS as unknown as Env['CLINICS'], (clinic) =>
      findSuccessor(installation.installation, clinic),
    ),
    gateway: { ...installation.gateway, listBatches: async () => [] },
  };
  const clinicDeps = await findOrCreateClinic(deps, accountId);
  await connectMaple(clinicDeps, accountId);
  await boardTerminal(clinicDeps, {
    accountId,
    terminalId: `T${accountId}`,
    name: 'Web',
    channel: 'ecommerce',
    publicKey: 'abc',
    apiKey: 'secret-key',
  });
  const link = await issuePayLink(clinicDeps, accountId, world.invoiceId);
  if (!link) throw new Error('the link was not issued');
  await reportStatus(clinicDeps);
  return {
    ...world,
    installation: deps,
    clinicDeps,
    name: MAPLE,
    payId: link.payId,
    deps: (clinic: number) => depsOfClinic(deps, clinic),
  };
}

export type ClinicWorld = Awaited<ReturnType<typeof clinicWorld>>;

let paidCount = 0;
/** Adds and pays this many invoices. */
export async function pay(world: ClinicWorld, count: number): Promise<void> {
  const { clinicDeps, accountId, crm } = world;
  for (let at = 0; at < count; at++) {
    const id = String(Number(world.invoiceId) + 1000 + ++paidCount);
    if (crm.invoice) crm.invoice = { ...crm.invoice, id, number: `INV-${id}` };
    const link = await issuePayLink(clinicDeps, accountId, id);
    if (!link) throw new Error('the link was not issued');
    const outcome = await takePayment(clinicDeps, link.payId, paymentForm(), { clientIp: null });
    if (outcome.kind !== 'approved') throw new Error(`not paid: ${outcome.kind}`);
  }
}

export type ClinicExport = { rows: Record<string, object[]>; counts: Record<string, number>; ledgerCents: number };

/** Exports all rows of a clinic. */
export async function exportAll(world: ClinicWorld): Promise<ClinicExport> {
  const clinicDeps = await clinicOfAccount(world.installation, world.accountId);
  if (!clinicDeps) throw new Error('the account has no clinic');
  const { counts, ledgerCents } = await countExport(clinicDeps.db);
  const rows: Record<string, object[]> = {};
  for (const table of exportTables) {
    const tableRows: object[] = [];
    let after: RowKey | null = null;
    do {
      const query = { after, limit: 500, omitted: columnsOmittedFrom(table, false) };
      const piece: Awaited<ReturnType<typeof readPiece>> = await readPiece(clinicDeps.db, table, query);
      tableRows.push(...piece.rows);
      after = piece.next;
    } while (after);
    rows[table.name] = tableRows;
  }
  return { rows, counts, ledgerCents };
}

/** Restores a complete export and returns the new clinic's number. */
export async function restoreExport({ installation, accountId }: ClinicWorld, from: ClinicExport): Promise<number> {
  const start = await beginRestoration(installation, accountId, CLINIC_SCHEMA);
  if (start.kind !== 'begun') throw new Error(start.kind);
  for (const [table, rows] of Object.entries(from.rows))
    if ((await restoreRows(installation, start.clinic, table, rows as never)).kind !== 'back')
      throw new Error(`not restored: ${table}`);
  const end = await endRestoration(installation, start.clinic, { account: accountId, ...from });
  if (end.kind !== 'ended') throw new Error(JSON.stringify(end));
  return start.clinic;
}

/** Dumps a clinic or the installation and returns the dump's folder. */
export async function makeDump({ clock, installation }: ClinicWorld, deps: Deps): Promise<string> {
  const lastEnd = (await findDump(deps.db))?.endedAt;
  for (let turns = 0; turns < 20; turns++) {
    await dumpDatabase(deps);
    const dump = await findDump(deps.db);
    if (lastEnd !== undefined && dump && dump.endedAt > lastEnd) break;
    if (dump && dump.tries === 0 && dump.folder === '' && dump.month !== '') break;
    clock.now = Math.max(clock.now, dump?.dueAt ?? 0);
  }
  const folder = (await listDumpFolders(installation.backups, deps.clinic)).at(-1);
  if (!folder) throw new Error('no dump was made');
  return folder;
}

/** Restores the account from a dump and returns the new clinic's number. */
export async function restoreDump({ installation, accountId }: ClinicWorld, folder: string): Promise<number> {
  const manifest = await getManifest(installation.backups, folder);
  const start = await beginRestoration(installation, accountId, manifest?.schema ?? 0);
  if (start.kind !== 'begun' || !manifest) throw new Error(start.kind);
  for (const at of manifest.pieces.keys()) {
    const restored = await restorePiece(installation, start.clinic, folder, at);
    if (restored.kind !== 'back') throw new Error(`${JSON.stringify(restored)}: ${manifest.pieces[at]?.key}`);
  }
  const end = await endDumpRestoration(installation, start.clinic, accountId, folder);
  if (end.kind !== 'ended') throw new Error(JSON.stringify(end));
  return start.clinic;
}
