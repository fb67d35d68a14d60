import * as z from 'zod/mini';

/** By what a person proves in a session that it is still they: a passkey, the PIN, or a code that was mailed. */
export const proofKinds = ['passkey', 'pin', 'code'] as const;
export type ProofKind = (typeof proofKinds)[number];

/**
 * How a person gets past `step-up-needed`: show a passkey, type the PIN, log in again (through the CRM or by a mailed
 * code), or have an administrator do it. The first two only where the person has one.
 */
export const stepUpWays = ['passkey', 'pin', 'login', 'admin'] as const;
export type StepUpWay = (typeof stepUpWays)[number];

/** How long a proof is good for what needs one (ms). */
export const PROOF_MS = 15 * 60_000;

/**
 * Calls by which staff prove who they are. Times are ISO 8601 instants in UTC; errors have the body of error.ts.
 *
 * Some calls need a proof of the last 15 minutes (those declared with `stepUp`) and answer 403 with the code
 * `step-up-needed` and StepUp without one; the same call, repeated after a proof, is done.
 */

/** Beside the error `step-up-needed`. */
export const StepUp = z.object({ ways: z.array(z.enum(stepUpWays)) });
export type StepUp = z.infer<typeof StepUp>;

/**
 * What a browser needs for a passkey, in the standard's JSON: POST /api/session/passkey/options (login),
 * POST /api/session/proof/options (own passkeys), POST /api/session/passkeys/options (a new one). Each
 * sets a cookie that the next call brings back; a challenge is good for five minutes, once, for that call, person and
 * session.
 */
export const StaffPasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
export type StaffPasskeyOptions = { options: object };

/**
 * POST /api/session/passkey logs in: 204, or 401. POST /api/session/proof proves, and /switch changes person: 204. A wrong
 * PIN is 422 with the field `pin` and this, a passkey that is not accepted 409; neither is 401, since the session
 * stands. 429 with `retry-after` while the PIN is locked.
 */
export const WrongPin = z.object({ tries_left: z.number() });
export type WrongPin = z.infer<typeof WrongPin>;

export const OwnPasskey = z.object({
  id: z.string(),
  label: z.string(),
  created_at: z.string(),
  /** Null: never yet. */
  used_at: z.nullable(z.string()),
});
/** POST /api/session/passkeys answers one, 201. */
export type OwnPasskey = z.infer<typeof OwnPasskey>;

/** GET /api/session/factors */
export const OwnFactors = z.object({
  passkeys: z.array(OwnPasskey),
  has_pin: z.boolean(),
  /**
   * What a change of these takes: `code`, while there is none yet, the one that POST /api/session/factors/code mails (202)
   * and that the change carries; `proof`: a passkey or the PIN of the last 15 minutes, a mailed code is not enough.
   */
  change_takes: z.enum(['code', 'proof']),
  /** Until when this session's proof is good for what needs one; null: it has none. */
  proved_until: z.nullable(z.string()),
});
export type OwnFactors = z.infer<typeof OwnFactors>;

/** GET /api/session/people: who can be switched to at this desk, by name. Empty of name: the address. */
export const DeskPeople = z.object({
  people: z.array(z.object({ id: z.number(), name: z.string(), is_you: z.boolean() })),
});
export type DeskPeople = z.infer<typeof DeskPeople>;

/**
 * PUT /api/team/second-person. `is_in_force` false with an amount: nobody else could approve, so the rule is off, and
 * `message` says so.
 */
export const SecondPerson = z.object({
  second_person: z.nullable(z.string()),
  is_in_force: z.boolean(),
  message: z.string(),
});
export type SecondPerson = z.infer<typeof SecondPerson>;

/** 202 of POST /api/payments/{id}/reversals and POST /api/approvals: nothing was given back yet. */
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
  /** Until when it can be approved. */
  ends_at: z.string(),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(z.string()),
  /** Whether the caller may decide it: nobody decides their own. */
  is_yours_to_decide: z.boolean(),
});
export type Approval = z.infer<typeof Approval>;
/** GET /api/approvals: what waits, and what was decided in the last seven days, the newest first. */
export const Approvals = z.object({ approvals: z.array(Approval) });
export type Approvals = z.infer<typeof Approvals>;
