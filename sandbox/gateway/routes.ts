import { type Context, Hono } from 'hono';
import type { SandboxEnv, World } from '../world.ts';
import { achTransactions, debit } from './ach.ts';
import { cardFrameRoutes } from './card-frame.ts';
import { tokenForBank, tokenForCard } from './card-tokens.ts';
import { errorOf, GatewayProblem, validation } from './envelope.ts';
import { followUp } from './follow-up.ts';
import { cardTransactions } from './look-up.ts';
import { chargeCard } from './sale.ts';
import { changeDuplicateSettings, duplicateSettings, renameTerminal, terminalSettings } from './terminal-settings.ts';
import { requireTerminal, type Terminal } from './terminals.ts';

async function readBody(c: Context<SandboxEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    throw validation('body: not readable as JSON');
  }
}

/** Known vendor calls that this sandbox does not answer yet. */
const NOT_BUILT = [
  '/rest/v2/batches',
  '/rest/v2/batches/*',
  '/rest/v2/terminal/*',
  '/rest/v2/settings/terminal/device',
  '/rest/v2/tokens',
];

/** The card gateway: what the payer's browser loads, and what the product's server calls. */
export function gatewayRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();

  app.onError((error, c) => {
    if (error instanceof GatewayProblem) return c.json(error.body, error.status);
    throw error;
  });

  app.route('/', cardFrameRoutes(world));
  app.post('/rest/v2/mobilejwt/manual', async (c) =>
    c.json(tokenForCard(world, c.req.header('public-key'), await readBody(c))),
  );
  app.post('/rest/v2/mobilejwt/ach', async (c) =>
    c.json(tokenForBank(world, c.req.header('public-key'), await readBody(c))),
  );

  const terminalOf = (c: Context<SandboxEnv>): Terminal => requireTerminal(world, c.req.header('api-key'));

  app.on('POST', ['/rest/v2/mobile/transactions/sale', '/rest/v2/mobile/transactions/auth'], async (c) => {
    const answer = chargeCard(world, terminalOf(c), c.req.header('mobilejwt'), await readBody(c), c.get('arrivalSeq'));
    return c.json(answer.body, answer.status);
  });
  app.on('POST', ['/rest/v2/transactions', '/rest/v2/transactions/:type{capture|void|refund|sale|auth}'], async (c) => {
    const answer = followUp(world, terminalOf(c), await readBody(c), c.req.param('type'), c.get('arrivalSeq'));
    return c.json(answer.body, answer.status);
  });
  app.post('/rest/v2/ach/mobile/transactions/debit', async (c) => {
    const answer = debit(world, terminalOf(c), c.req.header('achmobilejwt'), await readBody(c), c.get('arrivalSeq'));
    return c.json(answer.body, answer.status);
  });

  app.get('/rest/v2/transactions', (c) => {
    const answer = cardTransactions(world, c, terminalOf(c));
    return answer ? c.json(answer) : c.body(null, 204);
  });
  app.get('/rest/v2/ach/transactions', (c) => {
    const answer = achTransactions(world, c, terminalOf(c));
    return answer ? c.json(answer) : c.body(null, 204);
  });

  app.get('/rest/v2/settings/terminal', (c) => c.json(terminalSettings(world, terminalOf(c))));
  app.put('/rest/v2/settings/terminal', async (c) => c.json(renameTerminal(world, terminalOf(c), await readBody(c))));
  app.get('/rest/v2/settings/transaction/duplicates', (c) => c.json(duplicateSettings(terminalOf(c))));
  app.on(['POST', 'PUT'], '/rest/v2/settings/transaction/duplicates', async (c) =>
    c.json(changeDuplicateSettings(world, terminalOf(c), await readBody(c))),
  );

  app.on(['GET', 'POST', 'PUT', 'DELETE'], NOT_BUILT, (c) =>
    c.json(
      {
        code: '501',
        status: 'fail',
        payload: { payloadType: 'error', error: errorOf('not-built', 'The sandbox does not answer this call yet') },
      },
      501,
    ),
  );
  app.all('/rest/*', () => {
    throw new GatewayProblem(404, '056', 'Destination not found');
  });
  return app;
}
