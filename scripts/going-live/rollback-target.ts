import * as z from 'zod/mini';

const Versions = z.array(
  z.object({
    id: z.string(),
    metadata: z.object({ created_on: z.string() }),
    annotations: z.optional(z.record(z.string(), z.unknown())),
  }),
);
export type Version = { id: string; commit: string };

/** The versions that a deploy uploaded, newest first, each with the commit of its message. */
export function versionsIn(json: string): Version[] {
  return Versions.parse(JSON.parse(json))
    .sort((a, b) => b.metadata.created_on.localeCompare(a.metadata.created_on))
    .flatMap(({ id, annotations }) => {
      const [, commit] = /^commit ([0-9a-f]{40})$/.exec(String(annotations?.['workers/message'] ?? '')) ?? [];
      return commit ? [{ id, commit }] : [];
    });
}

/**
 * The newest version of the commit that was live before this one, or of the one that is named by its beginning. A version
 * of the same commit is no way back: publications make those.
 */
export function targetOf(versions: Version[], live: string, wanted?: string): Version {
  const from = versions.findIndex(({ commit }) => commit === live);
  if (!wanted && from === -1) throw new Error('none of the ten newest versions is the one that answers; name a commit');
  const found = wanted
    ? versions.find(({ commit }) => commit.startsWith(wanted))
    : versions.slice(from).find(({ commit }) => commit !== live);
  if (!found) {
    throw new Error(
      `none of the ten newest versions is of ${wanted ?? 'an earlier commit'}; check that commit out and run npm run deploy`,
    );
  }
  if (found.commit === live) throw new Error('that commit is live');
  return found;
}
