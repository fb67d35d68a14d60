import { listUsableTerminals, type UsableTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import type { Gateway, TerminalRef } from '#worker/vendors/clearent/port';
import { noteWorkingCredentials } from './refused-credentials.ts';

/** Terminals that are tried for one question: where the provider is down, none of them gets an answer. */
const TRIED = 3;
const DAY_MS = 86_400_000;

export type Answered<Answer> = { terminal: TerminalRef; answer: Answer };

/**
 * `first`: the terminal that the question is about. `turn`: where a question is repeated until it is answered, its
 * number, so that each try asks by one terminal only, and the next try by another one.
 */
export type AskedFor = { accountId: number; first?: string | undefined; turn?: number | undefined };

/**
 * Ask the card provider by a terminal that works: each terminal's key shows all transactions of the merchant, so where
 * one gets no answer, the next one is tried.
 */
export async function askAnyTerminal<Answer>(
  { db }: Pick<Deps, 'db'>,
  { accountId, first, turn }: AskedFor,
  ask: (terminal: TerminalRef) => Promise<Answer | 'unavailable'>,
): Promise<Answered<Answer> | 'unavailable' | 'no-terminal'> {
  const usable = await listUsableTerminals(db, accountId, first);
  if (usable.length === 0) return 'no-terminal';
  if (turn === undefined) return askOneOf(usable, ask);
  const working = usable.filter(({ refusedAt }) => refusedAt === null);
  const tried = (working.length > 0 ? working : usable).slice(0, TRIED);
  return askOneOf(tried.slice(turn % tried.length).slice(0, 1), ask);
}

/** The same by terminals that were listed before, for many questions one after the other. */
export async function askOneOf<Answer>(
  usable: TerminalRef[],
  ask: (terminal: TerminalRef) => Promise<Answer | 'unavailable'>,
): Promise<Answered<Answer> | 'unavailable'> {
  for (const terminal of usable.slice(0, TRIED)) {
    const answer = await ask(terminal);
    if (answer !== 'unavailable') return { terminal, answer };
  }
  return 'unavailable';
}

/** What the card provider answers to one question; `unavailable` also where the account has no terminal. */
export async function findByAnyTerminal(
  { db, gateway }: Pick<Deps, 'db' | 'gateway'>,
  about: AskedFor,
  ...[method, by]: Parameters<Gateway['find']> extends [TerminalRef, ...infer Rest] ? Rest : never
) {
  const found = await askAnyTerminal({ db }, about, (terminal) => gateway.find(terminal, method, by));
  return typeof found === 'string' ? 'unavailable' : found.answer;
}

/** Once a night: ask again by terminals whose credentials were refused half a day ago or earlier; one that gets an answer is used again. */
export async function retryRefusedTerminals(deps: Deps, usable: UsableTerminal[]): Promise<void> {
  const { gateway, now } = deps;
  for (const terminal of usable.filter(({ refusedAt }) => refusedAt !== null && refusedAt < now() - DAY_MS / 2)) {
    const window = { from: now() - DAY_MS, to: now() };
    const answer = await gateway.listTransactions(terminal, 'card', window, 1);
    if (answer !== 'unavailable') await noteWorkingCredentials(deps, terminal);
  }
}
