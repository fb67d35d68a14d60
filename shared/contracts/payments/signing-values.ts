/** How a payer signs. Each is an act of their own: a name that merely stands there is none. */
export const signings = ['typed', 'drawn', 'ticked'] as const;
export type SigningKind = (typeof signings)[number];
