import { receiptMailId } from '../data/outbox.ts';
import type { Desk, Sale } from '../data/terminal-sales.ts';
import { noteHeard, terminalRef } from '../data/terminals.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import type { TerminalSaleOutcome } from '../ports/gateway.ts';
import { settleCharge } from './payments/settle.ts';
import { sendMail } from './send-mail.ts';

/** What only a card reader that was reached can say. */
const HEARD: TerminalSaleOutcome['kind'][] = ['approved', 'declined', 'cancelled', 'timed-out', 'busy'];

/**
 * Send a claimed sale to its card reader and write how it ended. The call may take minutes. Whoever waits for it may be gone
 * before: what survives is the attempt, and the gateway is then asked for it by its order id.
 */
export async function runTerminalSale(deps: Deps, { terminal, sale: { attempt } }: Desk & { sale: Sale }) {
  const { hubId, terminalId } = terminal;
  deps.log.info('terminal-sale-sent', { attemptId: attempt.id, hubId, terminalId });
  const ref = terminalRef(terminal);
  const outcome = await deps.gateway.startTerminalSale({
    terminal: ref,
    attemptId: attempt.id,
    dedupeKey: attempt.dedupeKey,
    amountCents: attempt.amountCents,
    customer: { firstName: attempt.payerFirstName, lastName: attempt.payerLastName },
  });
  const settled = await settleCharge(deps, attempt, outcome);
  if (outcome.kind === 'rejected' && outcome.reason === 'credentials') {
    deps.log.alert('gateway-refused-our-credentials', { hubId, terminalId });
  }
  if (settled?.state === 'approved') await sendMail(deps, receiptMailId(attempt.id));
  if (HEARD.includes(outcome.kind)) {
    await noteHeard(deps.db, ref, deps.now()).catch((cause: unknown) =>
      deps.log.info('terminal-not-noted', { hubId, terminalId, cause: causeOf(cause) }),
    );
  }
}
