import { listUsableTerminals, recordRefusal, type UsableTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import type { Gateway, TerminalRef } from '#worker/vendors/gateway-port';

type TerminalKey = Pick<TerminalRef, 'accountId' | 'terminalId'>;

/**
 * Alerts that the card provider refused a terminal's credentials, and records it, so that the next payment uses another
 * terminal. Never throws, since the response to a payment must not depend on this record.
 */
export async function recordRefusedCredentials(deps: Deps, terminal: TerminalKey): Promise<void> {
  const { accountId, terminalId } = terminal;
  deps.log.alert('gateway-refused-our-credentials', { accountId, terminalId });
  await recordRefusedAt(deps, terminal, deps.now());
}

/** Records that the card provider accepts a terminal's credentials again. Never throws. */
export const recordWorkingCredentials = (deps: Deps, terminal: TerminalKey): Promise<void> =>
  recordRefusedAt(deps, terminal, null);

const recordRefusedAt = ({ db, log }: Deps, terminal: TerminalKey, at: number | null): Promise<void> =>
  recordRefusal(db, terminal, at).catch((cause: unknown) =>
    log.info('terminal-not-recorded', { ...terminalFields(terminal), cause: causeOf(cause) }),
  );

const terminalFields = ({ accountId, terminalId }: TerminalKey) => ({ accountId, terminalId });

/** The maximum number of terminals tried per request. If the provider is down, none of them gets an answer. */
const MAX_TERMINALS_TRIED = 3;
const DAY_MS = 86_400_000;

export type TerminalAnswer<Answer> = { terminal: TerminalRef; answer: Answer };

/**
 * `first`: the terminal to try first. `turn`: the number of the attempt, for a request that is repeated until it is
 * answered. Each attempt then uses only one terminal, and the next attempt uses another one.
 */
export type TerminalQuery = { accountId: number; first?: string | undefined; turn?: number | undefined };

/**
 * Sends a request to the card provider with a working terminal. Each terminal's key shows all transactions of the
 * merchant, so if one gets no answer, the next one is tried.
 */
export async function queryAnyTerminal<Answer>(
  { db }: Pick<Deps, 'db'>,
  { accountId, first, turn }: TerminalQuery,
  sendRequest: (terminal: TerminalRef) => Promise<Answer | 'unavailable'>,
): Promise<TerminalAnswer<Answer> | 'unavailable' | 'no-terminal'> {
  const usableTerminals = await listUsableTerminals(db, accountId, first);
  if (usableTerminals.length === 0) return 'no-terminal';
  if (turn === undefined) return queryOneOf(usableTerminals, sendRequest);
  const workingTerminals = usableTerminals.filter(({ refusedAt }) => refusedAt === null);
  const candidates = (workingTerminals.length > 0 ? workingTerminals : usableTerminals).slice(0, MAX_TERMINALS_TRIED);
  return queryOneOf(candidates.slice(turn % candidates.length).slice(0, 1), sendRequest);
}

/** Like queryAnyTerminal(), with terminals that the caller has already listed, for many requests in a row. */
export async function queryOneOf<Answer>(
  usableTerminals: TerminalRef[],
  sendRequest: (terminal: TerminalRef) => Promise<Answer | 'unavailable'>,
): Promise<TerminalAnswer<Answer> | 'unavailable'> {
  for (const terminal of usableTerminals.slice(0, MAX_TERMINALS_TRIED)) {
    const answer = await sendRequest(terminal);
    if (answer !== 'unavailable') return { terminal, answer };
  }
  return 'unavailable';
}

/** The card provider's transactions for one lookup. `unavailable` also if the account has no terminal. */
export async function findByAnyTerminal(
  { db, gateway }: Pick<Deps, 'db' | 'gateway'>,
  query: TerminalQuery,
  ...[method, by]: Parameters<Gateway['find']> extends [TerminalRef, ...infer Rest] ? Rest : never
) {
  const result = await queryAnyTerminal({ db }, query, (terminal) => gateway.find(terminal, method, by));
  return typeof result === 'string' ? 'unavailable' : result.answer;
}

/**
 * Tests each terminal once a night. A terminal that was refused at least half a day ago and gets an answer is used
 * again. A terminal that gets no answer twice, while another one does, is marked as refused, because payers' charges
 * may fail with it too.
 */
export async function testTerminals(deps: Deps, usableTerminals: UsableTerminal[]): Promise<void> {
  const { gateway, now } = deps;
  const window = { from: now() - DAY_MS, to: now() };
  const isAnswered = async (terminal: TerminalRef) =>
    (await gateway.listTransactions(terminal, 'card', window, 1)) !== 'unavailable';
  const silentTerminals: UsableTerminal[] = [];
  let isAnyWorking = false;
  for (const terminal of usableTerminals.length > 1
    ? usableTerminals
    : usableTerminals.filter(({ refusedAt }) => refusedAt !== null)) {
    if (terminal.refusedAt !== null && terminal.refusedAt >= now() - DAY_MS / 2) continue;
    const isWorking = await isAnswered(terminal);
    if (isWorking) isAnyWorking = true;
    if (isWorking && terminal.refusedAt !== null) await recordWorkingCredentials(deps, terminal);
    if (!isWorking && terminal.refusedAt === null) silentTerminals.push(terminal);
  }
  for (const terminal of isAnyWorking ? silentTerminals : [])
    if (!(await isAnswered(terminal))) await recordRefusedCredentials(deps, terminal);
}
