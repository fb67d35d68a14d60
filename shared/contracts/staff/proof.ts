import * as z from 'zod/mini';

/** Proofs of identity within a session: a passkey, the PIN, or an emailed code. */
export const proofKinds = ['passkey', 'pin', 'code'] as const;
export type ProofKind = (typeof proofKinds)[number];

/**
 * Ways to satisfy `step-up-needed`: use a passkey, enter the PIN, log in again (through the CRM or with an emailed
 * code), or have an administrator do it. The first two only if the user has one.
 */
export const stepUpWays = ['passkey', 'pin', 'login', 'admin'] as const;
export type StepUpWay = (typeof stepUpWays)[number];

/** Validity of a proof (ms). */
export const PROOF_MS = 15 * 60_000;

/**
 * Calls for proofs of identity by staff. Times are ISO 8601 in UTC; errors have the body of error.ts.
 *
 * Calls declared with `stepUp` require a proof from the last 15 minutes. Without one they return 403 with the code
 * `step-up-needed` and StepUp. The client repeats the call after the proof.
 */

/** Added to the error `step-up-needed`. */
export const StepUp = z.object({ ways: z.array(z.enum(stepUpWays)) });
export type StepUp = z.infer<typeof StepUp>;

/**
 * Passkey options in WebAuthn's JSON format: POST /api/session/passkey/options (login), POST /api/session/proof/options
 * (own passkeys), POST /api/session/passkeys/options (a new one). Each sets a cookie for the next call. A challenge is
 * valid once, for five minutes, for that call, person and session.
 */
export const StaffPasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
export type StaffPasskeyOptions = { options: object };

/**
 * POST /api/session/passkey logs in: 204, or 401. POST /api/session/proof and /switch: 204. A wrong PIN returns 422
 * with the field `pin` and this, and a refused passkey 409. Neither is 401, because the session remains valid. 429 with
 * `retry-after` while the PIN is locked.
 */
export const WrongPin = z.object({ tries_left: z.number() });
export type WrongPin = z.infer<typeof WrongPin>;

export const OwnPasskey = z.object({
  id: z.string(),
  label: z.string(),
  created_at: z.string(),
  /** Null if never used. */
  used_at: z.nullable(z.string()),
});
/** POST /api/session/passkeys returns one, 201. */
export type OwnPasskey = z.infer<typeof OwnPasskey>;

/** GET /api/session/factors */
export const OwnFactors = z.object({
  passkeys: z.array(OwnPasskey),
  has_pin: z.boolean(),
  /**
   * Requirement for a change. `code`: without any factor, the code emailed by POST /api/session/factors/code (202),
   * sent with the change. `proof`: a passkey or PIN proof from the last 15 minutes; an emailed code is not sufficient.
   */
  change_takes: z.enum(['code', 'proof']),
  /** End of validity of this session's proof, or null without one. */
  proved_until: z.nullable(z.string()),
});
export type OwnFactors = z.infer<typeof OwnFactors>;

/** GET /api/session/people: people who can take over this desk, by name, or by address if they have no name. */
export const DeskPeople = z.object({
  people: z.array(z.object({ id: z.number(), name: z.string(), is_you: z.boolean() })),
});
export type DeskPeople = z.infer<typeof DeskPeople>;

/**
 * PUT /api/team/second-person. `is_in_force` is false with an amount if no one else could approve: the rule is then
 * off, and `message` states it.
 */
export const SecondPerson = z.object({
  second_person: z.nullable(z.string()),
  is_in_force: z.boolean(),
  message: z.string(),
});
export type SecondPerson = z.infer<typeof SecondPerson>;

/** 202 of POST /api/payments/{id}/reversals and POST /api/approvals: not reversed yet. */
export const WaitingReply = z.object({ state: z.literal('waiting'), id: z.string(), message: z.string() });
export type WaitingReply = z.infer<typeof WaitingReply>;

export const Approval = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'approved', 'refused', 'ended']),
  kind: z.enum(['void', 'refund']),
  payment_id: z.string(),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  amount: z.string(),
  reason: z.string(),
  asked_by: z.string(),
  asked_at: z.string(),
  /** Deadline for approval. */
  ends_at: z.string(),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(z.string()),
  /** The reason for a refusal; empty if none was given. */
  decision_note: z.string(),
  /** True if the caller may decide it; never for one's own request. */
  is_yours_to_decide: z.boolean(),
  /** True for the caller's own pending request: refusing it withdraws it. */
  is_yours_to_withdraw: z.boolean(),
});
export type Approval = z.infer<typeof Approval>;
/** GET /api/approvals: pending ones, and those decided in the last seven days, newest first. */
export const Approvals = z.object({ approvals: z.array(Approval) });
export type Approvals = z.infer<typeof Approvals>;
