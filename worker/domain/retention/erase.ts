import type { PersonErased, PersonShown } from '#shared/contracts/operators/operate';
import { deleteArchive, deleteArchiveFiles, listArchives } from '#worker/data/leaving/archives';
import { deleteSignatures } from '#worker/data/preview/signatures';
import {
  eraseHoldings,
  listErasableSignatures,
  listHoldings,
  type PersonHolding,
  type PersonSearch,
} from '#worker/data/retention/person';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** The maximum number of files per delete call of the bucket. */
const MAX_FILES_PER_DELETE = 1000;

/** Normalizes an email address for comparison: trimmed, with only A to Z in lower case, as SQLite's `lower` does. */
export const emailOf = (text: string): string => text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A person of one account, found by an email address. Account 0 is the installation. */
export type AccountPerson = { accountId: number; email: string };

const searchOf = ({ now }: Deps, { accountId, email }: AccountPerson): PersonSearch => ({
  accountId,
  email: emailOf(email),
  now: now(),
});

/**
 * The data of this database about a person. An empty address finds nothing, as it would match all persons whose data
 * were erased.
 */
export async function findPersonData(deps: Deps, person: AccountPerson): Promise<PersonHolding[]> {
  const search = searchOf(deps, person);
  return search.email === '' ? [] : listHoldings(deps.db, search);
}

export type ErasedHolding = Omit<PersonHolding, 'rows' | 'accounts'> & { found: number; erased: number };

/**
 * Erases a person's data as far as allowed, including the images of signatures. For data that stays, the reason is
 * returned. A second run erases nothing more. Amounts and the data that make a replay harmless are not touched.
 */
export async function erasePerson(deps: Deps, person: AccountPerson): Promise<ErasedHolding[]> {
  const { db, media } = deps;
  const holdings = await findPersonData(deps, person);
  if (holdings.length === 0) return [];
  const search = searchOf(deps, person);
  const isOfClinic = person.accountId !== INSTALLATION;
  // The images are deleted before the rows that name them, so that an interrupted run can be repeated.
  const keys = isOfClinic ? await listErasableSignatures(db, search) : [];
  for (let from = 0; from < keys.length; from += MAX_FILES_PER_DELETE)
    await deleteSignatures(media, keys.slice(from, from + MAX_FILES_PER_DELETE));
  const events = await erasureEvents(deps, search, holdings);
  const erased = events.length > 0 ? await eraseHoldings(db, search, events) : {};
  if (isOfClinic) await dropArchives(deps);
  return holdings.map(({ rows, accounts: _, ...holding }) => ({
    ...holding,
    found: rows.length,
    erased: erased[holding.name] ?? 0,
  }));
}

export const presentShown = (holdings: PersonHolding[]): PersonShown => ({
  shown: holdings.map(({ name, rows, erasable, stays }) => ({ name, rows, erasable, stays })),
});

export const presentErased = (holdings: ErasedHolding[]): PersonErased => ({
  erased: holdings.map(({ name, found, erased, stays }) => ({ name, found, erased, stays })),
});

/** Deletes the archives that wait to be downloaded, because they still contain the person's data. */
async function dropArchives({ db, media, clinic }: Deps): Promise<void> {
  for (const row of await listArchives(db)) {
    await deleteArchiveFiles(media, clinic, row.id);
    await deleteArchive(db, row);
  }
}

/** The id of a person in the audit trail, which does not reveal the address. */
export const personKey = async ({ sha256 }: Pick<Deps, 'sha256'>, email: string): Promise<string> =>
  (await sha256(`person ${emailOf(email)}`)).slice(0, 32);

/** One audit event per account that loses rows; 0 is the installation. It names the person only by a hash. */
async function erasureEvents(
  deps: Deps,
  { accountId: searchedAccount, email }: PersonSearch,
  holdings: PersonHolding[],
) {
  const owners = holdings.flatMap(({ accounts }) => accounts);
  // The installation's trail has no account, even if one of its rows names that of a clinic.
  const affectedAccounts = searchedAccount === INSTALLATION ? owners.map(() => INSTALLATION) : owners;
  const person = await personKey(deps, email);
  return [...new Set(affectedAccounts)].map((accountId) =>
    auditEvent(deps, {
      accountId,
      action: 'person.erased',
      subject: ['person', person],
      after: { rows: affectedAccounts.filter((owner) => owner === accountId).length },
    }),
  );
}
