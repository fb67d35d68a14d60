import type { World } from '#sandbox/world';
import { decimalFromCents } from '#shared/money';
import type { WebhookAnnouncer } from '../announce.ts';
import { factsOfCard } from '../cards/card-tokens.ts';
import { findOriginal } from '../duplicates.ts';
import { candidateOf, centsOf, chargeCard, parseBody, SaleBody, type SaleInput } from '../sale.ts';
import { idOf, omitEmpty } from '../transactions.ts';
import { type Answer, approvedAnswer, errorOf, exchangeId, GatewayProblem, problemAnswer, refusal } from '../wire.ts';
import { findTerminal, type Terminal } from './terminals.ts';

const SALE_PATH = '/rest/v2/terminal/transactions/sale';
const APPROVING_CARD = '4111111111111111';
/** A timer may fire slightly early. */
const EARLY_TIMER_MS = 10;
const DECLINING_CARD = '4000000000000002';

type Row = {
  id: number;
  terminal_id: string;
  request: string;
  arrival_seq: number;
  started_ms: number;
  ends_ms: number;
};
type PendingSale = Omit<Row, 'request'> & { input: SaleInput };

/** A user's actions at the terminal. `cut` breaks the caller's connection while the terminal continues. */
export type TerminalAction =
  | { do: 'tap'; card?: string | undefined }
  | { do: 'decline' | 'cancel' | 'offline' | 'online' | 'cut' };

export type TerminalSales = ReturnType<typeof createTerminalSales>;

/**
 * Runs the sales on counter terminals. A terminal's pending sale is stored, so it stays pending when the caller
 * disconnects or the sandbox restarts. The card may still be charged, and then only a lookup reveals the outcome.
 *
 * The vendor documents neither the time limit nor the messages for a busy terminal, a cancellation and a timeout, so
 * these are our own.
 */
export function createTerminalSales(
  world: World,
  announcements: WebhookAnnouncer,
  pause: (ms: number) => Promise<void>,
) {
  /** Open connections of callers, by the sale's id. */
  const callers = new Map<number, (answer: Answer | 'cut') => void>();
  /** Control calls that wait for a sale to arrive. */
  const arrivals = new Set<() => void>();

  function findPendingSale(terminalId: string): PendingSale | null {
    const row = world.store.get<Row>('SELECT * FROM terminal_sales WHERE terminal_id = ?', terminalId);
    return row ? { ...row, input: SaleBody.parse(JSON.parse(row.request)) } : null;
  }

  /** Reports the outcome to the caller if it is still connected. Must be called after the terminal is free. */
  async function endSale(sale: PendingSale, answer: Answer) {
    if (answer.recordedTransaction) await announcements.transaction(answer.recordedTransaction, SALE_PATH);
    callers.get(sale.id)?.(answer);
    callers.delete(sale.id);
  }

  const removePendingSale = (sale: PendingSale) =>
    world.store.run('DELETE FROM terminal_sales WHERE id = ?', sale.id).changes === 1;

  /** Charges the card and frees the terminal in one transaction, so that callers see no intermediate state. */
  async function readCard(terminal: Terminal, sale: PendingSale, number: string): Promise<boolean> {
    const card = { ...factsOfCard(number), exp_date: '1249', entryMethod: 'CHIP' } as const;
    const answer = world.store.transaction(() => {
      if (!removePendingSale(sale)) return null;
      try {
        return formatAnswer(terminal, chargeCard(world, terminal, sale.input, card, sale.arrival_seq));
      } catch (problem) {
        if (problem instanceof GatewayProblem) return problemAnswer(problem);
        throw problem;
      }
    });
    if (answer) await endSale(sale, answer);
    return answer !== null;
  }

  const formatAnswer = ({ hub_id }: Terminal, answer: Answer) =>
    world.settings(hub_id).terminal_replies === 'bare' ? toBareAnswer(answer) : answer;

  /** Ends the sales whose time limit at the terminal has passed on the sandbox's clock. */
  async function expireDue() {
    const dueRows = world.store.all<Row>('SELECT * FROM terminal_sales WHERE ends_ms <= ?', world.now());
    for (const { terminal_id } of dueRows) {
      const sale = findPendingSale(terminal_id);
      if (sale && removePendingSale(sale)) await endSale(sale, refusal(402, '031', 'Transaction timed out'));
    }
  }

  async function awaitSale(terminalId: string, maxWaitMs: number): Promise<PendingSale | null> {
    const sale = findPendingSale(terminalId);
    if (sale) return sale;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!findPendingSale(terminalId)) return;
        arrivals.delete(check);
        resolve();
      };
      arrivals.add(check);
      void pause(maxWaitMs).then(() => {
        arrivals.delete(check);
        resolve();
      });
    });
    return findPendingSale(terminalId);
  }

  return {
    findPendingSale,
    expireDue,

    /** Cuts the connections that would never get a response after a reset of the world. */
    cutConnections() {
      for (const respond of callers.values()) respond('cut');
      callers.clear();
    },

    /** Returns when the terminal is done, perhaps minutes later, or returns 'cut' if the connection is cut first. */
    async runSale(terminal: Terminal, body: unknown, type: string, arrivalSeq: number): Promise<Answer | 'cut'> {
      const input = parseBody(SaleBody, typeof body === 'object' && body !== null ? { type, ...body } : body);
      const cents = centsOf(input);
      if (terminal.channel !== 'counter') throw new GatewayProblem(402, '028', 'Invalid terminal');
      await expireDue();
      const original = findOriginal(world, terminal, candidateOf(input, '', arrivalSeq));
      if (original) return formatAnswer(terminal, approvedAnswer(original));
      if (!terminal.online) throw new GatewayProblem(400, '001', 'Terminal is not reachable');
      const pendingSale = findPendingSale(terminal.terminal_id);
      if (pendingSale)
        throw new GatewayProblem(
          400,
          '001',
          `Terminal is busy with a transaction of ${decimalFromCents(centsOf(pendingSale.input))}`,
        );
      const limitMs = world.settings(terminal.hub_id).terminal_timeout_ms;
      const startedMs = world.now();
      const { lastInsertRowid } = world.store.run(
        'INSERT INTO terminal_sales (terminal_id, request, arrival_seq, started_ms, ends_ms) VALUES (?, ?, ?, ?, ?)',
        terminal.terminal_id,
        JSON.stringify({ ...input, amount: decimalFromCents(cents) }),
        arrivalSeq,
        startedMs,
        startedMs + limitMs,
      );
      const outcome = new Promise<Answer | 'cut'>((resolve) => callers.set(Number(lastInsertRowid), resolve));
      const sale = findPendingSale(terminal.terminal_id);
      if (sale && world.settings(terminal.hub_id).auto_tap) await readCard(terminal, sale, APPROVING_CARD);
      else void pause(limitMs + EARLY_TIMER_MS).then(expireDue);
      for (const check of [...arrivals]) check();
      return outcome;
    },

    /** Returns false if no sale is pending. Waits up to `maxWaitMs` for a sale that has just been sent. */
    async performAction(terminalId: string, action: TerminalAction, maxWaitMs = 0): Promise<boolean> {
      if (action.do === 'online' || action.do === 'offline') {
        world.store.run(
          'UPDATE terminals SET online = ? WHERE terminal_id = ?',
          Number(action.do === 'online'),
          terminalId,
        );
        const sale = findPendingSale(terminalId);
        // The terminal can no longer report to the gateway, so the caller does not learn the outcome.
        if (action.do === 'offline' && sale && removePendingSale(sale))
          await endSale(sale, refusal(500, '049', 'No response from terminal'));
        return true;
      }
      await expireDue();
      const sale = await awaitSale(terminalId, maxWaitMs);
      const terminal = findTerminal(world, terminalId);
      if (!sale || !terminal) return false;
      switch (action.do) {
        case 'cut':
          callers.get(sale.id)?.('cut');
          return callers.delete(sale.id);
        case 'cancel':
          if (!removePendingSale(sale)) return false;
          await endSale(sale, refusal(402, '031', 'Transaction cancelled'));
          return true;
        case 'decline':
          return readCard(terminal, sale, DECLINING_CARD);
        case 'tap':
          return readCard(terminal, sale, action.card ?? APPROVING_CARD);
      }
    },
  };
}

/** The part of a terminal's response that the vendor guarantees. A lookup returns the rest. */
function toBareAnswer(answer: Answer): Answer {
  const { status, transaction: row } = answer;
  if (!row) return answer;
  const isApproved = status === 200;
  const transaction = omitEmpty({
    id: idOf(row.seq),
    'result-code': row.result_code,
    'authorization-code': row.authorization_code,
    'display-message': row.display_message,
  });
  const body = {
    code: String(status),
    status: isApproved ? 'success' : 'fail',
    'result-code': row.result_code,
    'exchange-id': exchangeId('terminal-transaction'),
    payload: {
      payloadType: isApproved ? 'transaction' : 'error',
      transaction,
      ...(isApproved ? {} : { error: errorOf('073', row.display_message) }),
    },
  };
  return { ...answer, body };
}
