import { Hono } from 'hono';
import { html } from 'hono/html';
import { refuseForeignPages } from '../control-guard.ts';
import { batchesOf } from '../gateway/batches.ts';
import type { TerminalAction, TerminalSales } from '../gateway/terminals/terminal-sales.ts';
import { findTerminal, listTerminals, type Terminal } from '../gateway/terminals/terminals.ts';
import type { SandboxEnv, World } from '../world.ts';
import { page } from './page.ts';

const CARDS = [
  ['4111111111111111', 'Visa ending in 1111'],
  ['5555555555554444', 'Mastercard ending in 4444'],
  ['378282246310005', 'American Express ending in 0005'],
  ['6011111111111117', 'Discover ending in 1117'],
] as const;

const ACTIONS: Record<TerminalAction['do'], string> = {
  tap: 'Tap the card',
  decline: 'Tap a card that is declined',
  cancel: 'Press cancel',
  cut: 'Cut the caller’s line',
  offline: 'Take offline',
  online: 'Bring online',
};

const button = (action: TerminalAction['do'], isUsable: boolean, isMain = false) =>
  html`<button name="do" value="${action}" ${isMain ? '' : html`class="secondary"`} ${isUsable ? '' : 'disabled'}>${ACTIONS[action]}</button>`;

const isTerminalAction = (text: unknown): text is TerminalAction['do'] =>
  typeof text === 'string' && Object.hasOwn(ACTIONS, text);

/** The text that identifies a sale, which is its description, or its invoice key if it has none. */
const labelOf = ({ description, invoice }: { description?: string | undefined; invoice: string }) => {
  const label = description || invoice;
  return label ? html`<br />${label}` : '';
};

/** The terminal's display. The page's script fetches this part every second. */
function display(terminal: Terminal, sales: TerminalSales) {
  const sale = sales.findPendingSale(terminal.terminal_id);
  const isOnline = terminal.online === 1;
  const status = sale
    ? html`<p class="device"><strong>Please tap, insert or swipe</strong><br />$${sale.input.amount}${labelOf(sale.input)}</p>`
    : html`<p class="device">${isOnline ? 'Ready. Nothing to pay.' : 'Offline: the gateway does not reach this device.'}</p>`;
  return html`<div data-display>
    <div role="status">${status}</div>
    <form method="post">
      <p class="field"><label for="card">Card</label><select id="card" name="card">${CARDS.map(([number, name]) => html`<option value="${number}">${name}</option>`)}</select></p>
      <div class="actions">${button('tap', sale !== null, true)}${button('decline', sale !== null)}${button('cancel', sale !== null)}${button('cut', sale !== null)}${isOnline ? button('offline', true) : button('online', true)}</div>
    </form>
  </div>`;
}

function batchRows(world: World, terminal: Terminal) {
  const rows = batchesOf(world, terminal.terminal_id).map(
    (batch) =>
      html`<tr><th scope="row">${batch.id}</th><td>${batch.status}</td><td>${batch['date-opened']}</td><td class="number">${batch['sales-count']}</td><td class="number">${batch['net-amount']}</td></tr>`,
  );
  if (rows.length === 0) return html`<p class="empty">None yet: the first approved sale opens one.</p>`;
  return html`<div class="scroll"><table><thead><tr><th scope="col">Batch</th><th scope="col">Status</th><th scope="col">Opened</th><th scope="col">Sales</th><th scope="col">Net</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const missingPage = () =>
  page('No such terminal', html`<p>It does not exist.</p><p><a href="/terminals">All terminals</a></p>`);

/** Pages of the counter terminals, on which a visitor can act as the payer. */
export function terminalPageRoutes(world: World, sales: TerminalSales): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use('/terminals/*', refuseForeignPages);

  const findCounterTerminal = (id: string) => {
    const terminal = findTerminal(world, id);
    return terminal?.channel === 'counter' ? terminal : undefined;
  };

  app.get('/terminals', (c) => {
    const rows = listTerminals(world)
      .filter(({ channel }) => channel === 'counter')
      .map((terminal) => {
        const sale = sales.findPendingSale(terminal.terminal_id);
        const state = sale ? `waits for a card: $${sale.input.amount}` : terminal.online ? 'ready' : 'offline';
        return html`<tr><td><a href="/terminals/${terminal.terminal_id}">${terminal.name}</a></td><td>${terminal.terminal_id}</td><td>${terminal.merchant_id}</td><td>${state}</td></tr>`;
      });
    return c.html(
      page(
        'Terminals',
        html`<p>The card readers on the counters. Open one in a window beside the product, start a sale there, and tap here.</p>
          <div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Merchant</th><th scope="col">State</th></tr></thead><tbody>${rows}</tbody></table></div>`,
      ),
    );
  });
  app.get('/terminals/:id', (c) => {
    const terminal = findCounterTerminal(c.req.param('id'));
    if (!terminal) return c.html(missingPage(), 404);
    return c.html(
      page(
        terminal.name,
        html`<p>A card reader on the counter; its id at the gateway is ${terminal.terminal_id}. You are the payer.</p>
          ${display(terminal, sales)}
          <p class="hint">Amounts of 1.00 and more are approved; below that the amount decides. Cutting the line leaves the device waiting: the caller cannot know what becomes of the sale.</p>
          <h2>Batches</h2>
          ${batchRows(world, terminal)}
          <p><a href="/terminals">All terminals</a></p>
          <script src="/_sandbox/terminal.js" type="module"></script>`,
      ),
    );
  });
  app.post('/terminals/:id', async (c) => {
    const terminal = findCounterTerminal(c.req.param('id'));
    if (!terminal) return c.html(missingPage(), 404);
    const { do: action, card } = await c.req.parseBody();
    if (!isTerminalAction(action)) return c.text('there is no such button', 400);
    const number = CARDS.find(([cardNumber]) => cardNumber === card)?.[0];
    await sales.performAction(terminal.terminal_id, action === 'tap' ? { do: action, card: number } : { do: action });
    return c.redirect(c.req.path, 303);
  });
  return app;
}
