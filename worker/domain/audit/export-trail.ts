import type { AuditQuery } from '#shared/contracts/audit-request';
import { CSV_START, csvLine } from '#shared/csv';
import { listSealsOver, readTrail } from '#worker/data/audit/trail';
import type { AuditEvent } from '#worker/data/schema/audit';
import type { AuditSeal } from '#worker/data/schema/audit-screen';
import type { Deps } from '#worker/deps';
import { recordExport } from './event.ts';
import { iso, namesOf, readAsked, readPeople, sentencesOf } from './view-trail.ts';

/** Numbers that are looked at for one piece of the file. */
const NUMBERS = 1000;

type Line = { event: AuditEvent; sentence: string; seal: AuditSeal | undefined };
type Column = { title: string; cell(line: Line): string };

const own = (title: string, read: (event: AuditEvent) => string | number): Column => ({
  title,
  cell: ({ event }) => String(read(event)),
});
const ofSeal = (title: string, read: (seal: AuditSeal) => string | number): Column => ({
  title,
  cell: ({ seal }) => (seal ? String(read(seal)) : ''),
});

/** An event as its seal was made of it, its sentence, and the seal: who keeps the file can recompute the chain. */
const COLUMNS: Column[] = [
  own('Number', ({ seq }) => seq),
  own('Time', ({ at }) => iso(at)),
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
  // A seal has the hashes of all its events, each of 64 digits.
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

/** All events that the filters leave as CSV, newest first, piece by piece. The first piece has the titles. */
export async function* exportTrail(deps: Deps, accountId: number, query: AuditQuery): AsyncGenerator<string> {
  const { filters, stretch } = await readAsked(deps, accountId, query);
  await recordExport(deps, accountId, 'the audit trail', Math.max(0, stretch.highest - stretch.lowest + 1));
  yield CSV_START + csvLine(COLUMNS.map(({ title }) => title));
  const names = namesOf(await readPeople(deps, accountId));
  for (let { highest } = stretch; highest >= stretch.lowest; highest -= NUMBERS) {
    const part = { highest, lowest: Math.max(stretch.lowest, highest - NUMBERS + 1) };
    const events = await readTrail(deps.db, accountId, filters, { ...part, limit: NUMBERS });
    if (events.length === 0) continue;
    const seals = await listSealsOver(deps.db, accountId, part);
    const sentences = await sentencesOf(deps, accountId, events, names);
    yield events
      .map((event, at) => {
        const seal = seals.find(({ fromSeq, toSeq }) => fromSeq <= event.seq && event.seq <= toSeq);
        const line = { event, sentence: sentences[at] ?? '', seal };
        return csvLine(COLUMNS.map(({ cell }) => cell(line)));
      })
      .join('');
  }
}
