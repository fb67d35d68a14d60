/** The result of one check of the installation: one line, and the remedy if it failed. */
export type Finding = { what: string; state: 'ok' | 'missing' | 'account' | 'wrong' | 'not-checked'; say: string };
export type State = Finding['state'];

export const ok = (what: string, say = ''): Finding => ({ what, state: 'ok', say });
export const missing = (what: string, say: string): Finding => ({ what, state: 'missing', say });
export const wrong = (what: string, say: string): Finding => ({ what, state: 'wrong', say });
export const notChecked = (what: string, say: string): Finding => ({ what, state: 'not-checked', say });
/** What only an account elsewhere can give; `account` says which. All else that is missing can be made here. */
export const needsAccount = (what: string, account: string, say: string): Finding => ({
  what,
  state: 'account',
  say: `needs ${account}; ${say}`,
});

/** Whether something is left to do for it. */
export const isToDo = ({ state }: Finding): boolean => state === 'missing' || state === 'account' || state === 'wrong';
