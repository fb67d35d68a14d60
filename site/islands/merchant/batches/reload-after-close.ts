/** The delay (ms) between closing batches and reloading the terminals with their batches. */
export const RELOAD_AFTER_CLOSE_MS = 2000;
