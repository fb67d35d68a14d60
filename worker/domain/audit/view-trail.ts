import type { AuditEventItem, AuditView } from '#shared/contracts/audit';
import type { AuditQuery } from '#shared/contracts/audit-request';
import { type AuditGroup, groupOf } from '#shared/contracts/audit-values';
import { addDays, startOfDay } from '#shared/text/local-day';
import { findSubjects, idsMeantBy } from '#worker/data/audit/subjects';
import {
  findStretch,
  listPeople,
  type Named,
  readTrail,
  type Stretch,
  type TrailFilters,
} from '#worker/data/audit/trail';
import { findAccount } from '#worker/data/merchants/accounts';
import { type AuditEvent, INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { factsOf, nameOf, personOf, sentenceOf } from './sentence.ts';

/** Events that one page looks at: filters that leave out nearly all must not read years for one answer. */
const MOST_LOOKED_AT = 5000;

/** A trail as it was asked for: which events, between which numbers. */
export type Asked = { accountId: number; filters: TrailFilters; stretch: Stretch };

export const actionsOf = (group: AuditGroup): string[] =>
  Object.entries(groupOf).flatMap(([action, own]) => (own === group ? [action] : []));

/** Turns a query into filters; days are those of the account's place, of the installation those of UTC. */
export async function readAsked({ db }: Deps, accountId: number, query: AuditQuery): Promise<Asked> {
  const { group, person, from, to, about } = query;
  const isZoned = accountId !== INSTALLATION && (from !== undefined || to !== undefined);
  const timeZone = (isZoned && (await findAccount(db, accountId))?.timeZone) || 'UTC';
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

/** One event's sentence for each, in their order. */
export async function sentencesOf(
  { db }: Pick<Deps, 'db'>,
  accountId: number,
  events: AuditEvent[],
  names: Map<string, string>,
) {
  const subjects = await findSubjects(db, accountId, events);
  return events.map((event) => sentenceOf(event, names, subjects.get(`${event.subjectKind}:${event.subjectId}`)));
}

type Page = Pick<AuditView, 'events' | 'next' | 'looked_back_to' | 'people'>;

/** One page of an account's trail, newest first. */
export async function viewPage(deps: Deps, accountId: number, query: AuditQuery): Promise<Page & { asked: Asked }> {
  const asked = await readAsked(deps, accountId, query);
  const { filters, stretch } = asked;
  const highest = Math.min(stretch.highest, (query.before ?? Number.MAX_SAFE_INTEGER) - 1);
  const lowest = Math.max(stretch.lowest, highest - MOST_LOOKED_AT + 1);
  const [rows, people] = await Promise.all([
    readTrail(deps.db, accountId, filters, { highest, lowest, limit: query.size + 1 }),
    readPeople(deps, accountId),
  ]);
  const shown = rows.slice(0, query.size);
  const last = shown.at(-1);
  const isFull = rows.length > query.size;
  const isCutOff = !isFull && lowest > stretch.lowest;
  const names = namesOf(people);
  const sentences = await sentencesOf(deps, accountId, shown, names);
  return {
    asked,
    events: shown.map((event, at) => presentEvent(event, sentences[at] ?? '', names)),
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

const shownValue = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

export function changesOf(event: Pick<AuditEvent, 'before' | 'after'>): AuditEventItem['changes'] {
  const [before, after] = [factsOf(event.before), factsOf(event.after)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
    field,
    before: shownValue(before[field]),
    after: shownValue(after[field]),
  }));
}

const presentEvent = (event: AuditEvent, sentence: string, names: Map<string, string>): AuditEventItem => ({
  seq: event.seq,
  at: iso(event.at),
  action: event.action,
  group: Object.entries(groupOf).find(([action]) => action === event.action)?.[1] ?? '',
  sentence,
  person: personOf(event),
  name: nameOf(event, names),
  subject: { kind: event.subjectKind, id: event.subjectId },
  changes: changesOf(event),
  session: event.sessionId,
  address: event.ipHash,
});
