/** How long (ms) what was asked for can be taken back before it happens. */
export const UNDO_MS = 10_000;
