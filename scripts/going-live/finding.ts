/** The result of one check of the installation: one line, and the remedy if it failed. */
export type Finding = { what: string; state: 'ok' | 'missing' | 'wrong' | 'not-checked'; say: string };
export type State = Finding['state'];

export const ok = (what: string, say = ''): Finding => ({ what, state: 'ok', say });
export const missing = (what: string, say: string): Finding => ({ what, state: 'missing', say });
export const wrong = (what: string, say: string): Finding => ({ what, state: 'wrong', say });
export const notChecked = (what: string, say: string): Finding => ({ what, state: 'not-checked', say });
