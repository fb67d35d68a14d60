import * as z from 'zod/mini';

/** Answers of the audit trail. A time is an ISO 8601 instant in UTC. */

export const AuditEventItem = z.object({
  /** The event's number in its account: without holes, from 1. */
  seq: z.number(),
  at: z.string(),
  /** An act of shared/audit.ts, and the group of audit-values.ts; words that a newer Worker adds are no fault. */
  action: z.string(),
  group: z.string(),
  /** What happened, for people. */
  sentence: z.string(),
  /** Who acted, as the filter `person` takes it, and by name. */
  person: z.string(),
  name: z.string(),
  /** What was acted on, as the filter `about` takes it; empty where it is the account itself. */
  subject: z.object({ kind: z.string(), id: z.string() }),
  /** Fields of the subject before and after; null: there was no such field. */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  /** Which session, and the IP address as a key that does not reveal it; empty where there was none. */
  session: z.string(),
  address: z.string(),
});
export type AuditEventItem = z.infer<typeof AuditEventItem>;

/** The newest link of the hash chain. */
export const AuditHead = z.object({
  seq: z.number(),
  hash: z.string(),
  /** How many events it and all before it stand for. */
  count: z.number(),
  at: z.string(),
});
export type AuditHead = z.infer<typeof AuditHead>;

/** Up to which event the chain was recomputed, and when. `problem`: what did not agree, or empty. */
export const AuditVerified = z.object({ seq: z.number(), at: z.string(), problem: z.string() });
export type AuditVerified = z.infer<typeof AuditVerified>;

/** GET /api/audit, GET /api/cms/audit: newest first. */
export const AuditView = z.object({
  events: z.array(AuditEventItem),
  /** `before` of the next page; null: there is nothing older. */
  next: z.nullable(z.number()),
  /** Looking stops after some thousand events that the filters leave out: how far back this page looked; null: it is full. */
  looked_back_to: z.nullable(z.string()),
  /** Whom the filter offers. */
  people: z.array(z.object({ person: z.string(), name: z.string() })),
  /** Null: no event was sealed yet. */
  head: z.nullable(AuditHead),
  verified: z.nullable(AuditVerified),
  /** Events of the last minutes that no seal stands for yet. */
  unsealed: z.number(),
  /** Whether the newest seal is mailed to this person once a week; null where nothing is mailed. */
  weekly_mail: z.nullable(z.boolean()),
});
export type AuditView = z.infer<typeof AuditView>;

/** GET /api/audit/head, GET /api/cms/audit/head: to be kept elsewhere, and to be compared with what is shown later. */
export const AuditHeadFile = z.object({
  account: z.number(),
  head: z.nullable(AuditHead),
  /** The newest heads that are kept outside the database, newest first. */
  anchors: z.array(z.object({ seq: z.number(), hash: z.string(), count: z.number(), at: z.string() })),
  how_to_verify: z.array(z.string()),
});
export type AuditHeadFile = z.infer<typeof AuditHeadFile>;

/** PUT /api/audit/mail */
export const AuditMailReply = z.object({ weekly: z.boolean() });
export type AuditMailReply = z.infer<typeof AuditMailReply>;
