import { receiptMailId } from '#worker/data/mail/outbox';
import type { CounterTerminal, Sale } from '#worker/data/terminals/sales';
import { recordResponse, terminalRef } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { noteRefusedCredentials, noteWorkingCredentials } from '#worker/domain/payments/refused-credentials';
import { settleCharge } from '#worker/domain/payments/settle';
import { causeOf } from '#worker/log';
import type { TerminalSaleOutcome } from '#worker/vendors/gateway-port';

/** Outcomes that only a counter terminal that was reached can give. */
const ANSWERED: TerminalSaleOutcome['kind'][] = ['approved', 'declined', 'cancelled', 'no-card-in-time', 'busy'];

/**
 * Send a claimed sale to its counter terminal and write its outcome. The call may take minutes, and its client may be
 * gone before: the attempt survives, and a status inquiry then asks the gateway for it by its order id.
 */
export async function runTerminalSale(deps: Deps, { terminal, sale: { attempt } }: CounterTerminal & { sale: Sale }) {
  const { accountId, terminalId } = terminal;
  deps.log.info('terminal-sale-sent', { attemptId: attempt.id, accountId, terminalId });
  const ref = terminalRef(terminal);
  const outcome = await deps.gateway.startTerminalSale({
    terminal: ref,
    attemptId: attempt.id,
    dedupeKey: attempt.dedupeKey,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amountCents,
    customer: { firstName: attempt.payerFirstName, lastName: attempt.payerLastName },
  });
  const settled = await settleCharge(deps, attempt, outcome);
  if (outcome.kind === 'rejected' && outcome.reason === 'credentials') {
    await noteRefusedCredentials(deps, terminal);
  } else if (terminal.refusedAt !== null && outcome.kind === 'approved') {
    await noteWorkingCredentials(deps, terminal);
  }
  if (settled?.state === 'approved') await sendMail(deps, receiptMailId(attempt.id));
  if (ANSWERED.includes(outcome.kind)) {
    await recordResponse(deps.db, ref, deps.now()).catch((cause: unknown) =>
      deps.log.info('terminal-not-noted', { accountId, terminalId, cause: causeOf(cause) }),
    );
  }
}
