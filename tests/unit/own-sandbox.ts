import { inject } from 'vitest';

/** One for all files of a runtime: each evaluates this module again. */
const shared = globalThis as { ownSandbox?: string };

/**
 * Runtimes run tests in parallel, and all users of a simulated world share its faults, settings and counts, so each
 * runtime takes its own.
 */
export async function claimSandbox(): Promise<void> {
  shared.ownSandbox ??= await (await fetch(inject('sandboxes'))).text();
}

export function sandboxUrl(): string {
  if (!shared.ownSandbox) throw new Error('no sandbox was claimed');
  return shared.ownSandbox;
}
