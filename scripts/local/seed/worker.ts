import { Clinic as OwnClinic } from '#worker/clinic/clinic';
import { findSiteState } from '#worker/data/content/publishing/builds';
import { listApprovedHashes, saveVersions } from '#worker/data/tamper-monitor/script-versions';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { approveScript } from '#worker/domain/tamper-monitor/report';
import { causeOf } from '#worker/log';
import type { Local } from '../settings.ts';
import { seedContent } from './content.ts';
import { writeHistory } from './history.ts';
import { HISTORY_MS, HISTORY_PATH } from './history-plan.ts';
import { seedMerchants, seedPayLinks } from './merchants.ts';

/** The seed's input in addition to the Worker's settings. `providerScript`: the simulated provider's script. */
export type SeedCall = Pick<Local, 'owner' | 'sandboxUrl' | 'hasHistory'> & { providerScript: string };
/** `isNew`: these are the folder's first merchants. */
export type SeedReply = { payIds: string[]; revision: number; isNew: boolean };
export type HistoryReply = { payments: number };
export type SeedError = { error: string };

/** Postpones the clinic's alarm to the product, which has all of the clinic's code; the seed needs no alarm. */
const LATER_MS = 1000;

export class Clinic extends OwnClinic {
  override async alarm() {
    await this.ctx.storage.setAlarm(Date.now() + LATER_MS);
  }
}

/** Fills the local databases in place of the product. scripts/local/seed.ts runs it; it is never deployed. */
export default {
  async fetch(request, env) {
    try {
      const call = await request.json<SeedCall>();
      const deps = createDeps(env);
      if (new URL(request.url).pathname !== HISTORY_PATH) return Response.json(await seed(deps, call));
      return Response.json({ payments: await writeHistory(deps, call.sandboxUrl) } satisfies HistoryReply);
    } catch (cause) {
      return Response.json({ error: causeOf(cause) } satisfies SeedError);
    }
  },
} satisfies ExportedHandler<Env>;

async function seed(deps: Deps, { owner, sandboxUrl, providerScript, hasHistory }: SeedCall): Promise<SeedReply> {
  const isNew = await seedMerchants(deps, hasHistory ? deps.now() - HISTORY_MS : deps.now());
  await seedContent(deps, owner);
  await approveProviderScript(deps, providerScript);
  const payIds = await seedPayLinks(deps, sandboxUrl);
  const { state } = await findSiteState(deps.installation);
  return { payIds, revision: state?.revision ?? 0, isNew };
}

/** Approves the simulated provider's script: it is part of this repository, so no person needs to review it. */
async function approveProviderScript(deps: Deps, script: string): Promise<void> {
  const { db, media, sha256, now } = deps;
  const body = new TextEncoder().encode(script);
  const version = { sha256: await sha256(body), type: 'text/javascript; charset=utf-8', body };
  if ((await listApprovedHashes(db)).includes(version.sha256)) return;
  await saveVersions(db, media, [version], now());
  const reason = 'The simulated provider serves it out of this repository.';
  await approveScript(deps, { sha256: version.sha256, by: 'Local setup', reason });
}
