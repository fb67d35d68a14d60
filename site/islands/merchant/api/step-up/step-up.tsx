import { StepUp } from '#shared/contracts/staff/proof';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { openDialog } from '#site/islands/ui/feedback/open-dialog.tsx';
import { approvalCallFor, type RefusedCall, saveForReturn } from './refused-call.ts';
import { createProofCalls, StepUpDialog, type StepUpOutcome } from './StepUpDialog.tsx';

/**
 * Asks the user for a proof of identity in a dialog, and then repeats the refused call. The form below the dialog keeps
 * its input. If the user cancels, the refusal is returned.
 */
export async function stepUp<T>(refusedCall: RefusedCall<T>): Promise<Answer<T>> {
  const { error, path, read, init, client } = refusedCall;
  const parsed = StepUp.safeParse(error);
  const approval = approvalCallFor(refusedCall);
  const outcome = await openDialog<StepUpOutcome>((close) => (
    <StepUpDialog
      ways={parsed.success ? parsed.data.ways : []}
      message={error.message}
      calls={createProofCalls(client)}
      hasColleague={approval !== null}
      onLeave={() => saveForReturn(refusedCall)}
      onOutcome={close}
    />
  ));
  if (outcome === 'colleague' && approval) return client.call(approval.path, read, approval.init);
  return outcome === 'proved' ? client.call(path, read, init) : { ok: false, error };
}
