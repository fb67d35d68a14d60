/** Where the seed's Worker is asked for the history, and how long before now its clinic came. */
export const HISTORY_PATH = '/history';
export const HISTORY_MS = 92 * 86_400_000;
