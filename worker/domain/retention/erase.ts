import { dropArchive, dropArchiveFiles, listArchives } from '#worker/data/leaving/archives';
import { deleteSignatures } from '#worker/data/preview/signatures';
import { dropExpiredSignatures, dropOldEvidence } from '#worker/data/retention/files';
import {
  eraseHoldings,
  type Holding,
  listErasableSignatures,
  listHoldings,
  type Whose,
} from '#worker/data/retention/person';
import { dropExpiredRows } from '#worker/data/retention/statements';
import { INSTALLATION } from '#worker/data/schema/audit';
import { clinicTables, installationTables } from '#worker/data/schema/tables';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { dropOldEvents } from '../audit/seal.ts';

/** A turn that took all it may is followed by another after this (ms): a backlog must not wait for days. */
const AGAIN_MS = 10_000;

/**
 * Let go what has outlived its period (the lifetimes of worker/data/schema/); the next run goes on where this one ends.
 * Answers when it wants to (UTC ms), where there may be more.
 */
export async function keepPeriods(deps: Deps): Promise<number | undefined> {
  const { clinic, db, media, now } = deps;
  const isMore = [
    await dropExpiredRows(db, clinic === 0 ? installationTables : clinicTables, now()),
    await dropOldEvents(deps),
    await (clinic === 0 ? dropOldEvidence : dropExpiredSignatures)(db, media, now()),
  ];
  return isMore.includes(true) ? now() + AGAIN_MS : undefined;
}

/** One call of the bucket deletes this many files at most. */
const FILES = 1000;

/** An address as it is compared: without blanks around it, and small where SQLite knows small letters, in A to Z. */
export const emailOf = (text: string): string => text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const whoseOf = ({ clinic }: Deps): Whose => (clinic === 0 ? 'installation' : 'clinic');

/**
 * What the database at hand holds about a person. An empty address would be everyone's whose data were erased, so it
 * finds nothing.
 */
export async function showPerson(deps: Deps, address: string): Promise<Holding[]> {
  const email = emailOf(address);
  return email === '' ? [] : listHoldings(deps.db, whoseOf(deps), email, deps.now());
}

export type Erased = Omit<Holding, 'rows' | 'accounts'> & { found: number; erased: number };

/**
 * Erase what may be erased of a person, signatures with their pictures; the rest stays, with the reason. A second run
 * erases nothing more. Money and what makes a replay harmless are not touched.
 */
export async function erasePerson(deps: Deps, address: string): Promise<Erased[]> {
  const { db, media, now } = deps;
  const email = emailOf(address);
  const holdings = await showPerson(deps, email);
  if (holdings.length === 0) return [];
  const at = now();
  // The pictures go first: while a row still names one, a run that was cut short can be repeated.
  const keys = deps.clinic === 0 ? [] : await listErasableSignatures(db, email, at);
  for (let from = 0; from < keys.length; from += FILES) await deleteSignatures(media, keys.slice(from, from + FILES));
  const events = await eventsOf(deps, email, holdings);
  const erased = events.length > 0 ? await eraseHoldings(db, whoseOf(deps), email, at, events) : {};
  if (deps.clinic !== 0) await dropArchives(deps);
  return holdings.map(({ rows, accounts: _, ...holding }) => ({
    ...holding,
    found: rows.length,
    erased: erased[holding.name] ?? 0,
  }));
}

/** A download that waits to be fetched still has the person. */
async function dropArchives({ db, media, clinic }: Deps): Promise<void> {
  for (const row of await listArchives(db)) {
    await dropArchiveFiles(media, clinic, row.id);
    await dropArchive(db, row);
  }
}

/** An event in the trail of each account that loses rows; 0 is the installation. The person is there as a hash alone. */
async function eventsOf(deps: Deps, email: string, holdings: Holding[]) {
  const owners = holdings.flatMap(({ accounts }) => accounts);
  // The installation's trail has no account, also where one of its rows names a clinic's.
  const losing = deps.clinic === 0 ? owners.map(() => INSTALLATION) : owners;
  const person = (await deps.sha256(`person ${email}`)).slice(0, 32);
  return [...new Set(losing)].map((accountId) =>
    auditEvent(deps, {
      accountId,
      action: 'person.erased',
      subject: ['person', person],
      after: { rows: losing.filter((one) => one === accountId).length },
    }),
  );
}
