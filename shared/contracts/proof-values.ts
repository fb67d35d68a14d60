/** Plain values of proofs; apart from proof.ts, so that neither a page nor a payer's request loads the validator for them. */

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
