/** A mutant that no test can kill, by its text (`textOf`), with the reason why it changes nothing that matters. */
export type Accepted = { text: string; why: string };

export const accepted: Accepted[] = [];
