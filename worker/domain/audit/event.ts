import type { AuditAction } from '#shared/audit';
import { insertEvent, type TextEvent } from '#worker/data/audit/events';
import type { Deps } from '#worker/deps';

/** Listed fields of a row, before or after an act: never card data, a token, a signature, a mail's text or a capability. */
export type Facts = Record<string, string | number | boolean | null | undefined>;

export type Act = {
  /** INSTALLATION where the act belongs to no clinic. */
  accountId: number;
  action: AuditAction;
  /** A kind of row and its id of ours; never a pay id or a receipt id. */
  subject: [kind: string, id: string];
  before?: Facts;
  after?: Facts;
};

/** Enough for a footer text or a reason; a longer one is cut, since the trail names acts and keeps no texts. */
const LONGEST = 500;

export const factsText = (facts: Facts | undefined): string =>
  facts === undefined
    ? ''
    : JSON.stringify(facts, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST) : value));

/** What an event needs of the deps; those of a request know who asks. */
export type Acting = Pick<Deps, 'actor' | 'newId' | 'now'>;

/** For what a request leads to without being asked for it, such as a status inquiry: the request is named, nobody acts. */
export const bySystem = (deps: Deps): Deps => ({ ...deps, actor: { ...deps.actor, kind: 'system', id: '' } });

/** An event of the audit trail: a data function writes it in the batch of the act itself (`eventWrite`). */
export function auditEvent({ actor, newId, now }: Acting, act: Act): TextEvent {
  const [subjectKind, subjectId] = act.subject;
  return {
    accountId: act.accountId,
    id: newId(),
    at: now(),
    actorKind: actor.kind,
    actorId: actor.id,
    sessionId: actor.sessionId,
    ipHash: actor.ipHash,
    action: act.action,
    subjectKind,
    subjectId,
    before: factsText(act.before),
    after: factsText(act.after),
    requestId: actor.requestId,
  };
}

/** The IP address of a request as a key that does not reveal it. */
export const ipKeyOf = async (deps: Pick<Deps, 'sha256'>, clientIp: string | null) =>
  clientIp ? (await deps.sha256(`ip ${clientIp}`)).slice(0, 32) : 'none';

/** Record that rows leave the product as a file; before the first of them is sent. */
export const recordExport = (deps: Acting & Pick<Deps, 'db'>, accountId: number, list: string, rows: number) =>
  insertEvent(
    deps.db,
    auditEvent(deps, { accountId, action: 'list.exported', subject: ['list', list], after: { rows } }),
  );
