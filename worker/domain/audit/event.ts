import type { AuditAction } from '#shared/audit';
import { insertEvent, type TextEvent } from '#worker/data/audit/events';
import type { Deps } from '#worker/deps';

/**
 * Selected fields of a row before or after an action: never card data, a token, a signature, an email's text or a
 * capability.
 */
export type Facts = Record<string, string | number | boolean | null | undefined>;

export type AuditedAction = {
  /** INSTALLATION if the action belongs to no clinic. */
  accountId: number;
  action: AuditAction;
  /** The kind of the row and our id for it; never a pay id or a receipt id. */
  subject: [kind: string, id: string];
  before?: Facts;
  after?: Facts;
};

/** Long enough for a footer text or a reason. Longer values are truncated, since the trail stores no texts. */
const MAX_LENGTH = 500;

export const factsText = (facts: Facts | undefined): string =>
  facts === undefined
    ? ''
    : JSON.stringify(facts, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value));

/** The deps that an event needs; in a request they hold the actor. */
export type AuditDeps = Pick<Deps, 'actor' | 'newId' | 'now'>;

/** For side effects of a request, such as a status inquiry: the actor is the system, but the request id is kept. */
export const bySystem = (deps: Deps): Deps => ({ ...deps, actor: { ...deps.actor, kind: 'system', id: '' } });

/** Builds an event of the audit trail, which a data function writes in the same batch as the action (`eventWrite`). */
export function auditEvent({ actor, newId, now }: AuditDeps, auditedAction: AuditedAction): TextEvent {
  const [subjectKind, subjectId] = auditedAction.subject;
  return {
    accountId: auditedAction.accountId,
    id: newId(),
    at: now(),
    actorKind: actor.kind,
    actorId: actor.id,
    sessionId: actor.sessionId,
    ipHash: actor.ipHash,
    action: auditedAction.action,
    subjectKind,
    subjectId,
    before: factsText(auditedAction.before),
    after: factsText(auditedAction.after),
    requestId: actor.requestId,
  };
}

/** The IP address of a request as a key that does not reveal it. */
export const ipKeyOf = async (deps: Pick<Deps, 'sha256'>, clientIp: string | null) =>
  clientIp ? (await deps.sha256(`ip ${clientIp}`)).slice(0, 32) : 'none';

/**
 * Records an export of rows as a file; call it before the first row is sent. `period`: the exported days, if limited.
 */
export const recordExport = (
  deps: AuditDeps & Pick<Deps, 'db'>,
  accountId: number,
  list: string,
  rows: number,
  period?: { from: string; to: string },
) =>
  insertEvent(
    deps.db,
    auditEvent(deps, { accountId, action: 'list.exported', subject: ['list', list], after: { ...period, rows } }),
  );
