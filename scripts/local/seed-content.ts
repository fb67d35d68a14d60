import type { Deps } from '#worker/deps';
import { register } from '#worker/domain/content/register';
import type { Local } from './settings.ts';

/** The content area's owner, made with the set-up code like any first owner; a later start finds it made. */
export async function seedContent(deps: Deps, { owner }: Local): Promise<void> {
  const isMade = await deps.db.query.contentSetup.findFirst();
  if (isMade) return;
  const { OWNER_SETUP_CODE: setupCode } = deps.settings;
  const outcome = await register(deps, { name: 'Local Owner', ...owner }, { setupCode }, { clientIp: null });
  if (outcome.kind !== 'registered') throw new Error(`the owner of the content area was not made: ${outcome.kind}`);
}
