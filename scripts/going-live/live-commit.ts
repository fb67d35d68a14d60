import * as z from 'zod/mini';

const WAIT_MS = 10_000;
const Health = z.object({ commit: z.string() });

/** The commit of the Worker that answers, also of one that is not well; empty where nothing answers. */
export async function liveCommitAt(appUrl: string): Promise<string> {
  try {
    const answer = await fetch(`${appUrl}/api/health`, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) });
    return Health.parse(await answer.json()).commit;
  } catch {
    return '';
  }
}
