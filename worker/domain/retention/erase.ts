import { dropArchive, dropArchiveFiles, listArchives } from '#worker/data/leaving/archives';
import { deleteSignatures } from '#worker/data/preview/signatures';
import {
  type DatabaseKind,
  eraseHoldings,
  type Holding,
  listErasableSignatures,
  listHoldings,
} from '#worker/data/retention/person';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** Maximum files per delete call of the bucket. */
const FILES = 1000;

/** Normalizes an email address for comparison: trimmed, with only A to Z in lower case, as SQLite's `lower` does. */
export const emailOf = (text: string): string => text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const databaseKindOf = ({ clinic }: Deps): DatabaseKind => (clinic === 0 ? 'installation' : 'clinic');

/**
 * The data of this database about a person. An empty address finds nothing, as it would match all persons whose data
 * were erased.
 */
export async function showPerson(deps: Deps, address: string): Promise<Holding[]> {
  const email = emailOf(address);
  return email === '' ? [] : listHoldings(deps.db, databaseKindOf(deps), email, deps.now());
}

export type ErasedHolding = Omit<Holding, 'rows' | 'accounts'> & { found: number; erased: number };

/**
 * Erases a person's data as far as allowed, signatures with their pictures; the rest stays, with the reason. A second
 * run erases nothing more. Amounts and the data that make a replay harmless are not touched.
 */
export async function erasePerson(deps: Deps, address: string): Promise<ErasedHolding[]> {
  const { db, media, now } = deps;
  const email = emailOf(address);
  const holdings = await showPerson(deps, email);
  if (holdings.length === 0) return [];
  const at = now();
  // The pictures are deleted first: while a row still names one, an interrupted run can be repeated.
  const keys = deps.clinic === 0 ? [] : await listErasableSignatures(db, email, at);
  for (let from = 0; from < keys.length; from += FILES) await deleteSignatures(media, keys.slice(from, from + FILES));
  const events = await eventsOf(deps, email, holdings);
  const erased = events.length > 0 ? await eraseHoldings(db, databaseKindOf(deps), email, at, events) : {};
  if (deps.clinic !== 0) await dropArchives(deps);
  return holdings.map(({ rows, accounts: _, ...holding }) => ({
    ...holding,
    found: rows.length,
    erased: erased[holding.name] ?? 0,
  }));
}

/** Archives that wait to be downloaded still contain the person. */
async function dropArchives({ db, media, clinic }: Deps): Promise<void> {
  for (const row of await listArchives(db)) {
    await dropArchiveFiles(media, clinic, row.id);
    await dropArchive(db, row);
  }
}

/** One audit event per account that loses rows; 0 is the installation. It names the person only by a hash. */
async function eventsOf(deps: Deps, email: string, holdings: Holding[]) {
  const owners = holdings.flatMap(({ accounts }) => accounts);
  // The installation's trail has no account, even if one of its rows names that of a clinic.
  const affectedAccounts = deps.clinic === 0 ? owners.map(() => INSTALLATION) : owners;
  const person = (await deps.sha256(`person ${email}`)).slice(0, 32);
  return [...new Set(affectedAccounts)].map((accountId) =>
    auditEvent(deps, {
      accountId,
      action: 'person.erased',
      subject: ['person', person],
      after: { rows: affectedAccounts.filter((owner) => owner === accountId).length },
    }),
  );
}
