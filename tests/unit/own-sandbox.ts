import { inject } from 'vitest';

/** Shared by all files of a runtime, since each evaluates this module again. */
const shared = globalThis as { ownSandbox?: string };

/**
 * Claims a sandbox for this runtime. Runtimes run tests in parallel, and all users of a sandbox share its faults,
 * settings and counts.
 */
export async function claimSandbox(): Promise<void> {
  shared.ownSandbox ??= await (await fetch(inject('sandboxes'))).text();
}

export function sandboxUrl(): string {
  if (!shared.ownSandbox) throw new Error('no sandbox was claimed');
  return shared.ownSandbox;
}
