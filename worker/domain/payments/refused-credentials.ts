import { recordRefusal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import type { TerminalRef } from '#worker/vendors/gateway-port';

type Named = Pick<TerminalRef, 'accountId' | 'terminalId'>;

/**
 * Alert that the card provider refused a terminal's credentials, and remember it, so that the next payment uses another
 * one. Never throws: the answer to a payment must not depend on this note.
 */
export async function noteRefusedCredentials(deps: Deps, terminal: Named): Promise<void> {
  const { accountId, terminalId } = terminal;
  deps.log.alert('gateway-refused-our-credentials', { accountId, terminalId });
  await note(deps, terminal, deps.now());
}

/** The card provider has taken a terminal's credentials again. Never throws. */
export const noteWorkingCredentials = (deps: Deps, terminal: Named): Promise<void> => note(deps, terminal, null);

const note = ({ db, log }: Deps, terminal: Named, at: number | null): Promise<void> =>
  recordRefusal(db, terminal, at).catch((cause: unknown) =>
    log.info('terminal-not-noted', { ...terminalFields(terminal), cause: causeOf(cause) }),
  );

const terminalFields = ({ accountId, terminalId }: Named) => ({ accountId, terminalId });
