/** How a payer signs. Each requires an action: a prefilled name is not a signature. */
export const signings = ['typed', 'drawn', 'ticked'] as const;
export type SigningKind = (typeof signings)[number];
