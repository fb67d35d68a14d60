import { type Context, Hono } from 'hono';
import { cutConnection } from '../inject-faults.ts';
import type { SandboxEnv, World } from '../world.ts';
import { achTransactions, advanceDebits, debit } from './ach.ts';
import type { WebhookAnnouncer } from './announce.ts';
import { DOMAIN_ASSOCIATION, listDomains, registerDomains, removeDomains } from './apple-pay.ts';
import { closeBatch, currentBatch, listBatches } from './batches.ts';
import { cardFrameRoutes } from './cards/card-frame.ts';
import { tokenForBank, tokenForCard } from './cards/card-tokens.ts';
import { followUp } from './follow-up.ts';
import { cardTransactions } from './look-up.ts';
import { chargeToken } from './sale.ts';
import type { TerminalSales } from './terminals/terminal-sales.ts';
import {
  changeDuplicateSettings,
  duplicateSettings,
  renameTerminal,
  terminalSettings,
} from './terminals/terminal-settings.ts';
import { requireTerminal, type Terminal } from './terminals/terminals.ts';
import { type Answer, convertToXml, GatewayProblem, requestsXml, validationProblem } from './wire.ts';

async function readBody(c: Context<SandboxEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    throw validationProblem('body: not readable as JSON');
  }
}

/** The card gateway, with files for the payer's browser and calls for the product's server. */
export function gatewayRoutes(
  world: World,
  announcer: WebhookAnnouncer,
  terminalSales: TerminalSales,
): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();

  app.use('/rest/*', async (c, next) => {
    await next();
    if (requestsXml(c.req.header('accept')) && c.res.headers.get('content-type')?.includes('json'))
      c.res = await convertToXml(c.res);
  });

  app.onError((error, c) => {
    if (error instanceof GatewayProblem) return c.json(error.body, error.status);
    throw error;
  });

  app.route('/', cardFrameRoutes(world));
  // [documented] Issues a card token for the terminal's public key.
  // [guessed] The browser's frame makes this call, and a token is valid for 15 minutes.
  app.post('/rest/v2/mobilejwt/manual', async (c) =>
    c.json(tokenForCard(world, c.req.header('public-key'), await readBody(c))),
  );
  // [guessed] Issues a bank account token. One public integration requests it from this address.
  app.post('/rest/v2/mobilejwt/ach', async (c) =>
    c.json(tokenForBank(world, c.req.header('public-key'), await readBody(c))),
  );

  const terminalOf = (c: Context<SandboxEnv>): Terminal => requireTerminal(world, c.req.header('api-key'));

  /** Sends the answer, or 204 with no body if there is none. */
  const replyOrNoContent = (c: Context<SandboxEnv>, answer: Record<string, unknown> | null) =>
    answer ? c.json(answer) : c.body(null, 204);
  async function reply(c: Context<SandboxEnv>, answer: Answer) {
    if (answer.recordedTransaction) await announcer.transaction(answer.recordedTransaction, c.req.path);
    return c.json(answer.body, answer.status);
  }

  // [documented] Makes a sale with a card token. A decline is 402 with the transaction and an error.
  // [guessed] A declined sale also uses up the token.
  app.on('POST', ['/rest/v2/mobile/transactions/sale', '/rest/v2/mobile/transactions/auth'], async (c) => {
    const answer = chargeToken(world, terminalOf(c), c.req.header('mobilejwt'), await readBody(c), c.get('arrivalSeq'));
    return reply(c, answer);
  });
  // [documented] Voids or refunds a transaction by its id and the terminal's key. The request names no user.
  app.on('POST', ['/rest/v2/transactions', '/rest/v2/transactions/:type{capture|void|refund|sale|auth}'], async (c) => {
    const answer = followUp(world, terminalOf(c), await readBody(c), c.req.param('type'), c.get('arrivalSeq'));
    return reply(c, answer);
  });
  // [documented] Accepts a debit, which settles later or is returned.
  // [guessed] Debits of some account numbers are returned, after two days.
  app.post('/rest/v2/ach/mobile/transactions/debit', async (c) => {
    const answer = debit(world, terminalOf(c), c.req.header('achmobilejwt'), await readBody(c), c.get('arrivalSeq'));
    return reply(c, answer);
  });

  // [documented] Searches by order, invoice or day, and returns 204 if nothing is found.
  // [guessed] A sale can be found without delay, unless a fault adds one.
  app.get('/rest/v2/transactions', (c) => replyOrNoContent(c, cardTransactions(world, c, terminalOf(c))));
  // [documented] Lists bank debits. The address and the statuses are the vendor's.
  // [guessed] The fields are inferred from third-party code that reads them.
  app.get('/rest/v2/ach/transactions', (c) => {
    announcer.statusChanges(...advanceDebits(world));
    return replyOrNoContent(c, achTransactions(world, c, terminalOf(c)));
  });

  // [documented] Returns the merchant, terminal and kind of business that a key belongs to.
  app.get('/rest/v2/settings/terminal', (c) => c.json(terminalSettings(world, terminalOf(c))));
  // [documented] Renames the terminal.
  app.put('/rest/v2/settings/terminal', async (c) => c.json(renameTerminal(world, terminalOf(c), await readBody(c))));
  // [documented] Returns the terminal's rule for duplicates.
  app.get('/rest/v2/settings/transaction/duplicates', (c) => c.json(duplicateSettings(terminalOf(c))));
  // [documented] Changes that rule.
  app.on(['POST', 'PUT'], '/rest/v2/settings/transaction/duplicates', async (c) =>
    c.json(changeDuplicateSettings(world, terminalOf(c), await readBody(c))),
  );

  // [documented] Lists the hosts of pay pages that are registered for Apple Pay, by the merchant's key.
  app.get('/rest/v2/apple/merchants/domains', (c) => c.json(listDomains(world, terminalOf(c))));
  // [documented] Registers hosts.
  app.post('/rest/v2/apple/merchants/domains', async (c) =>
    c.json(registerDomains(world, terminalOf(c), await readBody(c))),
  );
  // [documented] Removes hosts.
  app.delete('/rest/v2/apple/merchants/domains', async (c) =>
    c.json(removeDomains(world, terminalOf(c), await readBody(c))),
  );
  // [documented] The provider gives the operator this file for the host of the pay pages.
  app.get('/.well-known/apple-developer-merchantid-domain-association', (c) => c.text(DOMAIN_ASSOCIATION));

  for (const version of ['v1', 'v2']) {
    // [documented] Lists the open and closed batches of a terminal.
    app.get(`/rest/${version}/batches`, (c) => replyOrNoContent(c, listBatches(world, terminalOf(c), c.req.query())));
    // [documented] Returns the open batch; 204 if there is none.
    app.get(`/rest/${version}/batches/open`, (c) => replyOrNoContent(c, currentBatch(world, terminalOf(c))));
    // [documented] Closes the open batch; 402 with code 040 if there is none.
    app.put(`/rest/${version}/batches/open`, (c) => {
      const answer = closeBatch(world, terminalOf(c).terminal_id);
      if (!answer) throw new GatewayProblem(402, '040', 'No open batch');
      return c.json(answer.body, answer.status);
    });
  }
  // [documented] The variant for card-present terminals answers 204 for "no batch found to process".
  // [guessed] It refuses the key of another kind of terminal.
  app.put('/rest/v2/terminal/batches/open', (c) => {
    const terminal = terminalOf(c);
    if (terminal.channel !== 'counter') throw new GatewayProblem(402, '028', 'Invalid terminal');
    const answer = closeBatch(world, terminal.terminal_id);
    return answer ? c.json(answer.body, answer.status) : c.body(null, 204);
  });

  // [documented] Waits for the card in one call. The response guarantees four fields.
  // [guessed] The timeout and the responses of a busy or cancelled terminal are our choice.
  app.on('POST', ['/rest/v2/terminal/transactions', '/rest/v2/terminal/transactions/:type{sale|auth}'], async (c) => {
    const type = (c.req.param('type') ?? '').toUpperCase();
    const answer = await terminalSales.runSale(terminalOf(c), await readBody(c), type, c.get('arrivalSeq'));
    return answer === 'cut' ? cutConnection(c) : c.json(answer.body, answer.status);
  });

  // [documented] Returns 404 for unknown addresses.
  // [guessed] The error code is 056.
  app.all('/rest/*', () => {
    throw new GatewayProblem(404, '056', 'Destination not found');
  });
  return app;
}
