import { type AuditEventItem, type AuditGroup, type AuditView, groupOf } from '#shared/contracts/staff/audit';
import type { TrailRequest } from '#shared/contracts/staff/audit-request';
import { addDays, localMoment, startOfDay } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  type EventRange,
  findEventRange,
  findMatchingIds,
  findSubjects,
  listPeople,
  listSealsOver,
  type NamedPerson,
  readTrail,
  type Subject,
  type TrailFilters,
} from '#worker/data/audit/trail';
import { type AuditEvent, type AuditSeal, INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { changesOf } from './changes.ts';
import { recordExport } from './event.ts';
import { factsOf } from './facts.ts';
import { kindOf, nameOf, personOf, sentenceOf } from './sentence.ts';

/** Maximum number of events scanned for one page: a narrow filter must not read years of events for one response. */
const MAX_SCANNED = 5000;

/** A query of a trail, resolved into filters and a range of event numbers. */
export type ResolvedQuery = { accountId: number; filters: TrailFilters; eventRange: EventRange };

export const actionsOf = (group: AuditGroup): string[] =>
  Object.entries(groupOf).flatMap(([action, actionGroup]) => (actionGroup === group ? [action] : []));

const zoneOf = async ({ db }: Pick<Deps, 'db'>, accountId: number): Promise<string> =>
  accountId === INSTALLATION ? 'UTC' : findTimeZone(db, accountId);

/** Turns a query into filters; days are in the account's time zone, or in UTC for the installation. */
export async function resolveQuery({ db }: Deps, accountId: number, query: TrailRequest): Promise<ResolvedQuery> {
  const { group, action, person, clinic, from, to, about } = query;
  const timeZone = from || to ? await zoneOf({ db }, accountId) : 'UTC';
  const [kind = '', id = null] = person?.split(':') ?? [];
  const filters = {
    actions: action ? [action].filter((name) => !group || groupOf[name] === group) : group ? actionsOf(group) : null,
    actor: person ? { kind, id } : null,
    clinic: clinic ?? null,
    subjectIds: about ? await findMatchingIds(db, accountId, about) : null,
    from: from ? startOfDay(from, timeZone) : null,
    until: to ? startOfDay(addDays(to, 1), timeZone) : null,
  };
  return { accountId, filters, eventRange: await findEventRange(db, accountId, filters) };
}

/** The names of people, by `kind:id`. */
export const namesOf = (people: NamedPerson[]): Map<string, string> =>
  new Map(people.map(({ person, name }) => [person, name]));

export const readPeople = ({ db }: Pick<Deps, 'db'>, accountId: number): Promise<NamedPerson[]> =>
  listPeople(db, accountId, accountId === INSTALLATION);

/** Returns the sentence and the subject's row of each event, in the same order. */
export async function describeEvents(
  { db }: Pick<Deps, 'db'>,
  accountId: number,
  events: AuditEvent[],
  names: Map<string, string>,
): Promise<DescribedEvent[]> {
  const namedRows = events.map(namedRowOf);
  const subjects = await findSubjects(db, accountId, namedRows);
  return events.map((event, index) => {
    const namedRow = namedRows[index] ?? event;
    const subject = subjects.get(`${namedRow.subjectKind}:${namedRow.subjectId}`);
    return { event, subject, sentence: sentenceOf(event, names, subject) };
  });
}

/** The row that the sentence names; for a clinic's email, the clinic. */
const namedRowOf = ({ action, subjectKind, subjectId, after }: AuditEvent) => {
  const { clinic } = action === 'mail.sent-again' ? factsOf(after) : {};
  return clinic ? { subjectKind: 'clinic', subjectId: String(clinic) } : { subjectKind, subjectId };
};

type DescribedEvent = { event: AuditEvent; sentence: string; subject: Subject | undefined };
type Page = Pick<AuditView, 'events' | 'next' | 'looked_back_to' | 'people'>;

/** One page of an account's trail, newest first. */
export async function viewPage(
  deps: Deps,
  accountId: number,
  query: TrailRequest,
): Promise<Page & { resolved: ResolvedQuery }> {
  const resolved = await resolveQuery(deps, accountId, query);
  const { filters, eventRange } = resolved;
  const highest = Math.min(eventRange.highest, (query.before ?? Number.MAX_SAFE_INTEGER) - 1);
  const lowest = Math.max(eventRange.lowest, highest - MAX_SCANNED + 1);
  const [rows, people, timeZone] = await Promise.all([
    readTrail(deps.db, accountId, filters, { highest, lowest, limit: query.size + 1 }),
    readPeople(deps, accountId),
    zoneOf(deps, accountId),
  ]);
  const pageRows = rows.slice(0, query.size);
  const oldestEvent = pageRows.at(-1);
  const isFull = rows.length > query.size;
  const isCutOff = !isFull && lowest > eventRange.lowest;
  const names = namesOf(people);
  const describedEvents = await describeEvents(deps, accountId, pageRows, names);
  return {
    resolved,
    events: describedEvents.map((event) => presentEvent(event, names, timeZone)),
    next: isFull && oldestEvent ? oldestEvent.seq : isCutOff ? lowest : null,
    looked_back_to: isCutOff ? await readEventTime(deps, accountId, lowest) : null,
    people: people.map(({ person, name }) => ({ person, name })),
  };
}

const NO_FILTER: TrailFilters = { actions: null, actor: null, subjectIds: null, clinic: null, from: null, until: null };

async function readEventTime({ db }: Deps, accountId: number, seq: number): Promise<string | null> {
  const [event] = await readTrail(db, accountId, NO_FILTER, { highest: seq, lowest: seq, limit: 1 });
  return event ? iso(event.at) : null;
}

export const iso = (at: number): string => new Date(at).toISOString();

const presentEvent = (
  { event, sentence, subject }: DescribedEvent,
  names: Map<string, string>,
  timeZone: string,
): AuditEventItem => ({
  seq: event.seq,
  at: iso(event.at),
  action: event.action,
  group: Object.entries(groupOf).find(([action]) => action === event.action)?.[1] ?? '',
  sentence,
  person: personOf(event),
  name: nameOf(event, names),
  subject: { kind: kindOf(event, subject), id: event.subjectId },
  changes: changesOf(event, timeZone, subject),
  session: event.sessionId,
  address: event.ipHash,
});

/** The number of events scanned for one chunk of the file. */
const CHUNK_NUMBERS = 1000;

type Line = Pick<DescribedEvent, 'event' | 'sentence'> & { seal: AuditSeal | undefined };
type Column = { title: string; cell(line: Line, timeZone: string): string };

const eventColumn = (title: string, read: (event: AuditEvent) => string | number): Column => ({
  title,
  cell: ({ event }) => String(read(event)),
});
const sealColumn = (title: string, read: (seal: AuditSeal) => string | number): Column => ({
  title,
  cell: ({ seal }) => (seal ? String(read(seal)) : ''),
});

/**
 * Every field that is hashed into the seal, the event's sentence and the seal itself, so that the chain can be
 * recomputed from the file.
 */
const COLUMNS: Column[] = [
  eventColumn('Number', ({ seq }) => seq),
  { title: 'Time', cell: ({ event: { at } }, timeZone) => localMoment(at, timeZone) },
  { title: 'What happened', cell: ({ sentence }) => sentence },
  eventColumn('Id', ({ id }) => id),
  eventColumn('Time in milliseconds', ({ at }) => at),
  eventColumn('Kind of actor', ({ actorKind }) => actorKind),
  eventColumn('Actor', ({ actorId }) => actorId),
  eventColumn('Session', ({ sessionId }) => sessionId),
  eventColumn('Hashed address', ({ ipHash }) => ipHash),
  eventColumn('Act', ({ action }) => action),
  eventColumn('Kind of subject', ({ subjectKind }) => subjectKind),
  eventColumn('Subject', ({ subjectId }) => subjectId),
  eventColumn('Before', ({ before }) => before),
  eventColumn('After', (event) => event.after),
  eventColumn('Request', ({ requestId }) => requestId),
  // `rowsHash` concatenates the hashes of all its events, 64 hex digits each.
  {
    title: 'Hash of the event',
    cell: ({ event, seal }) =>
      seal?.rowsHash.slice((event.seq - seal.fromSeq) * 64, (event.seq - seal.fromSeq + 1) * 64) ?? '',
  },
  sealColumn('Seal from', ({ fromSeq }) => fromSeq),
  sealColumn('Seal to', ({ toSeq }) => toSeq),
  sealColumn('Hash before it', ({ prevHash }) => prevHash),
  sealColumn('Hash of the seal', ({ hash }) => hash),
];

/**
 * Yields all events that match the filters as CSV, newest first, in chunks. The first chunk has the titles. Times are
 * in the account's time zone, or in UTC for the installation.
 */
export async function* exportTrail(deps: Deps, accountId: number, query: TrailRequest): AsyncGenerator<string> {
  const { filters, eventRange } = await resolveQuery(deps, accountId, query);
  await recordExport(deps, accountId, 'the audit trail', Math.max(0, eventRange.highest - eventRange.lowest + 1));
  yield CSV_START + csvLine(COLUMNS.map(({ title }) => title));
  const names = namesOf(await readPeople(deps, accountId));
  const timeZone = await zoneOf(deps, accountId);
  for (let { highest } = eventRange; highest >= eventRange.lowest; highest -= CHUNK_NUMBERS) {
    const part = { highest, lowest: Math.max(eventRange.lowest, highest - CHUNK_NUMBERS + 1) };
    const events = await readTrail(deps.db, accountId, filters, { ...part, limit: CHUNK_NUMBERS });
    if (events.length === 0) continue;
    const seals = await listSealsOver(deps.db, accountId, part);
    const describedEvents = await describeEvents(deps, accountId, events, names);
    yield describedEvents
      .map(({ event, sentence }) => {
        const seal = seals.find(({ fromSeq, toSeq }) => fromSeq <= event.seq && event.seq <= toSeq);
        const line = { event, sentence, seal };
        return csvLine(COLUMNS.map(({ cell }) => cell(line, timeZone)));
      })
      .join('');
  }
}
