import { StepUp } from '#shared/contracts/staff/proof';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { openDialog } from '#site/islands/ui/feedback/open-dialog.tsx';
import { askColleague, keepForLater, type Refused } from './refused.ts';
import { type Proved, proofCalls, StepUpDialog } from './StepUpDialog.tsx';

/**
 * Asks the person for a proof in a dialog and then repeats the refused call. The form underneath keeps its input. If
 * cancelled, returns the refusal.
 */
export async function stepUp<T>(refused: Refused<T>): Promise<Answer<T>> {
  const { error, path, read, init, client } = refused;
  const named = StepUp.safeParse(error);
  const colleague = askColleague(refused);
  const proved = await openDialog<Proved>((close) => (
    <StepUpDialog
      ways={named.success ? named.data.ways : []}
      message={error.message}
      calls={proofCalls(client)}
      hasColleague={colleague !== null}
      onLeave={() => keepForLater(refused)}
      onEnd={close}
    />
  ));
  if (proved === 'colleague' && colleague) return client.call(colleague.path, read, colleague.init);
  return proved === 'proved' ? client.call(path, read, init) : { ok: false, error };
}
