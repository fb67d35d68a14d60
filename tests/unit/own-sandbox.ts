import { inject } from 'vitest';

/** One for all files that a runtime runs: each evaluates this module anew. */
const shared = globalThis as { ownSandbox?: string };

/** Runtimes run tests side by side; faults, settings and counts of a simulated world are those of all its users. */
export async function claimSandbox(): Promise<void> {
  shared.ownSandbox ??= await (await fetch(inject('sandboxes'))).text();
}

export function sandboxUrl(): string {
  if (!shared.ownSandbox) throw new Error('no sandbox was claimed');
  return shared.ownSandbox;
}
