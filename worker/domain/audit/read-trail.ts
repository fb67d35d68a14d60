import { type AuditEventItem, type AuditGroup, type AuditView, groupOf } from '#shared/contracts/staff/audit';
import type { AuditQuery } from '#shared/contracts/staff/audit-request';
import { addDays, localMoment, startOfDay } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  findStretch,
  findSubjects,
  idsMeantBy,
  listPeople,
  listSealsOver,
  type Named,
  readTrail,
  type Stretch,
  type Subject,
  type TrailFilters,
} from '#worker/data/audit/trail';
import { type AuditEvent, type AuditSeal, INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { changesOf } from './changes.ts';
import { recordExport } from './event.ts';
import { factsOf } from './facts.ts';
import { kindOf, nameOf, personOf, sentenceOf } from './sentence.ts';

/** The most events that one page scans: a narrow filter must not read years of events for one response. */
const MOST_LOOKED_AT = 5000;

/** A query of a trail, resolved into filters and a range of event numbers. */
export type Asked = { accountId: number; filters: TrailFilters; stretch: Stretch };

export const actionsOf = (group: AuditGroup): string[] =>
  Object.entries(groupOf).flatMap(([action, own]) => (own === group ? [action] : []));

const zoneOf = async ({ db }: Pick<Deps, 'db'>, accountId: number): Promise<string> =>
  accountId === INSTALLATION ? 'UTC' : findTimeZone(db, accountId);

/** Turns a query into filters; days are in the account's time zone, or in UTC for the installation. */
export async function readAsked({ db }: Deps, accountId: number, query: AuditQuery): Promise<Asked> {
  const { group, person, from, to, about } = query;
  const timeZone = from || to ? await zoneOf({ db }, accountId) : 'UTC';
  const [kind = '', id = null] = person?.split(':') ?? [];
  const filters = {
    actions: group ? actionsOf(group) : null,
    actor: person ? { kind, id } : null,
    about: about ? await idsMeantBy(db, accountId, about) : null,
    from: from ? startOfDay(from, timeZone) : null,
    until: to ? startOfDay(addDays(to, 1), timeZone) : null,
  };
  return { accountId, filters, stretch: await findStretch(db, accountId, filters) };
}

/** The names of people, by `kind:id`. */
export const namesOf = (people: Named[]): Map<string, string> =>
  new Map(people.map(({ person, name }) => [person, name]));

export const readPeople = ({ db }: Pick<Deps, 'db'>, accountId: number): Promise<Named[]> =>
  listPeople(db, accountId, accountId === INSTALLATION);

/** Returns the sentence and the subject's row of each event, in the same order. */
export async function sentencesOf(
  { db }: Pick<Deps, 'db'>,
  accountId: number,
  events: AuditEvent[],
  names: Map<string, string>,
): Promise<Told[]> {
  const abouts = events.map(aboutOf);
  const subjects = await findSubjects(db, accountId, abouts);
  return events.map((event, at) => {
    const about = abouts[at] ?? event;
    const subject = subjects.get(`${about.subjectKind}:${about.subjectId}`);
    return { event, subject, sentence: sentenceOf(event, names, subject) };
  });
}

/** The row that the sentence names: of a clinic's mail, the clinic. */
const aboutOf = ({ action, subjectKind, subjectId, after }: AuditEvent) => {
  const { clinic } = action === 'mail.sent-again' ? factsOf(after) : {};
  return clinic ? { subjectKind: 'clinic', subjectId: String(clinic) } : { subjectKind, subjectId };
};

type Told = { event: AuditEvent; sentence: string; subject: Subject | undefined };
type Page = Pick<AuditView, 'events' | 'next' | 'looked_back_to' | 'people'>;

/** One page of an account's trail, newest first. */
export async function viewPage(deps: Deps, accountId: number, query: AuditQuery): Promise<Page & { asked: Asked }> {
  const asked = await readAsked(deps, accountId, query);
  const { filters, stretch } = asked;
  const highest = Math.min(stretch.highest, (query.before ?? Number.MAX_SAFE_INTEGER) - 1);
  const lowest = Math.max(stretch.lowest, highest - MOST_LOOKED_AT + 1);
  const [rows, people, timeZone] = await Promise.all([
    readTrail(deps.db, accountId, filters, { highest, lowest, limit: query.size + 1 }),
    readPeople(deps, accountId),
    zoneOf(deps, accountId),
  ]);
  const shown = rows.slice(0, query.size);
  const last = shown.at(-1);
  const isFull = rows.length > query.size;
  const isCutOff = !isFull && lowest > stretch.lowest;
  const names = namesOf(people);
  const told = await sentencesOf(deps, accountId, shown, names);
  return {
    asked,
    events: told.map((one) => presentEvent(one, names, timeZone)),
    next: isFull && last ? last.seq : isCutOff ? lowest : null,
    looked_back_to: isCutOff ? await timeAt(deps, accountId, lowest) : null,
    people: people.map(({ person, name }) => ({ person, name })),
  };
}

const NO_FILTER: TrailFilters = { actions: null, actor: null, about: null, from: null, until: null };

async function timeAt({ db }: Deps, accountId: number, seq: number): Promise<string | null> {
  const [event] = await readTrail(db, accountId, NO_FILTER, { highest: seq, lowest: seq, limit: 1 });
  return event ? iso(event.at) : null;
}

export const iso = (at: number): string => new Date(at).toISOString();

const presentEvent = (
  { event, sentence, subject }: Told,
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

/** Event numbers scanned for one chunk of the file. */
const NUMBERS = 1000;

type Line = Pick<Told, 'event' | 'sentence'> & { seal: AuditSeal | undefined };
type Column = { title: string; cell(line: Line, timeZone: string): string };

const own = (title: string, read: (event: AuditEvent) => string | number): Column => ({
  title,
  cell: ({ event }) => String(read(event)),
});
const ofSeal = (title: string, read: (seal: AuditSeal) => string | number): Column => ({
  title,
  cell: ({ seal }) => (seal ? String(read(seal)) : ''),
});

/**
 * Every field that is hashed into the seal, the sentence, and the seal, so that the chain can be recomputed from the
 * file.
 */
const COLUMNS: Column[] = [
  own('Number', ({ seq }) => seq),
  { title: 'Time', cell: ({ event: { at } }, timeZone) => localMoment(at, timeZone) },
  { title: 'What happened', cell: ({ sentence }) => sentence },
  own('Id', ({ id }) => id),
  own('Time in milliseconds', ({ at }) => at),
  own('Kind of actor', ({ actorKind }) => actorKind),
  own('Actor', ({ actorId }) => actorId),
  own('Session', ({ sessionId }) => sessionId),
  own('Hashed address', ({ ipHash }) => ipHash),
  own('Act', ({ action }) => action),
  own('Kind of subject', ({ subjectKind }) => subjectKind),
  own('Subject', ({ subjectId }) => subjectId),
  own('Before', ({ before }) => before),
  own('After', (event) => event.after),
  own('Request', ({ requestId }) => requestId),
  // `rowsHash` concatenates the hashes of all its events, 64 hex digits each.
  {
    title: 'Hash of the event',
    cell: ({ event, seal }) =>
      seal?.rowsHash.slice((event.seq - seal.fromSeq) * 64, (event.seq - seal.fromSeq + 1) * 64) ?? '',
  },
  ofSeal('Seal from', ({ fromSeq }) => fromSeq),
  ofSeal('Seal to', ({ toSeq }) => toSeq),
  ofSeal('Hash before it', ({ prevHash }) => prevHash),
  ofSeal('Hash of the seal', ({ hash }) => hash),
];

/**
 * Yields all events that match the filters as CSV, newest first, in chunks. The first chunk has the titles. Times are in
 * the account's time zone, or in UTC for the installation.
 */
export async function* exportTrail(deps: Deps, accountId: number, query: AuditQuery): AsyncGenerator<string> {
  const { filters, stretch } = await readAsked(deps, accountId, query);
  await recordExport(deps, accountId, 'the audit trail', Math.max(0, stretch.highest - stretch.lowest + 1));
  yield CSV_START + csvLine(COLUMNS.map(({ title }) => title));
  const names = namesOf(await readPeople(deps, accountId));
  const timeZone = await zoneOf(deps, accountId);
  for (let { highest } = stretch; highest >= stretch.lowest; highest -= NUMBERS) {
    const part = { highest, lowest: Math.max(stretch.lowest, highest - NUMBERS + 1) };
    const events = await readTrail(deps.db, accountId, filters, { ...part, limit: NUMBERS });
    if (events.length === 0) continue;
    const seals = await listSealsOver(deps.db, accountId, part);
    const told = await sentencesOf(deps, accountId, events, names);
    yield told
      .map(({ event, sentence }) => {
        const seal = seals.find(({ fromSeq, toSeq }) => fromSeq <= event.seq && event.seq <= toSeq);
        const line = { event, sentence, seal };
        return csvLine(COLUMNS.map(({ cell }) => cell(line, timeZone)));
      })
      .join('');
  }
}
