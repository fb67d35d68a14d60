import type { Move } from './plan.ts';
import { ACCOUNT, bills, SPARE, WEB } from './setting.ts';
import type { World } from './world.ts';

/** Time zones with another date or other clock changes. */
const ZONES = ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland', 'UTC'];

/** Rare events that change much for a clinic: its time zone, its records in the CRM, its terminals, its database. */
export function upheavalOf(world: World) {
  const { story, gateway, crm, product, database } = world;

  const reach = (feature: string, actor: string, event: string, invoiceId: string | null = null) => {
    story.note(actor, event);
    story.feature(feature, invoiceId);
  };

  return {
    'void-refund-by-hand'({ bill }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const { charges, reversals } = gateway.truth();
      const invoiceCharges = charges.filter(({ orderId }) => world.invoiceOf(orderId) === invoiceId);
      const chargeIds = new Set(invoiceCharges.map(({ id }) => id));
      const refund = reversals.findLast(
        ({ ofId, kind, state }) => chargeIds.has(ofId) && kind === 'refund' && state === 'approved',
      );
      if (!refund) return;
      const isDone = gateway.byHand.void(refund.id);
      story.note("the provider's pages", `void a refund: ${isDone ? 'done' : 'refused'}`);
    },

    'change-zone'({ token }: Move) {
      const zone = ZONES[Number(token) % ZONES.length] ?? 'UTC';
      database.storage.sql.exec('UPDATE accounts SET time_zone = ?', zone);
      world.zones.push({ from: world.engine.now(), zone });
      reach('zone change', 'the CRM', `the account is in ${zone} now`);
    },

    'crm-delete'({ bill, isNamed }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.edit(ACCOUNT, invoiceId, { isArchived: isNamed === true });
      reach('CRM delete', 'the CRM', `${invoiceId} is ${isNamed ? 'deleted' : 'there again'}`, invoiceId);
    },

    'crm-renumber'({ bill, n }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.renumber(ACCOUNT, invoiceId, `INV-${invoiceId}-${n}`);
      reach('CRM number change', 'the CRM', `${invoiceId} has another number`, invoiceId);
    },

    'crm-merge'({ bill }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.merge(ACCOUNT, invoiceId, bills[1]?.invoiceId ?? '');
      reach('CRM merge', 'the CRM', `the contact of ${invoiceId} is merged into another one`, invoiceId);
    },

    'record-unheard'() {
      world.trouble.lostRecordAnswers += 1;
    },

    'keep-backup'() {
      story.note('the platform', 'keeps a backup');
      database.saveState();
    },

    restore() {
      if (world.restore()) story.feature('restore', null);
    },

    'close-terminal'() {
      gateway.closeTerminal(WEB);
      reach('terminal closed', 'the provider', `closes ${WEB}`);
    },

    'replace-terminal'(_move: Move, name: string) {
      if (world.web === SPARE.terminalId) return;
      gateway.addTerminal(WEB, SPARE);
      world.web = SPARE.terminalId;
      story.note('the provider', `opens ${SPARE.terminalId}`);
      const { terminalId, name: terminalName, publicKey, apiKey } = SPARE;
      const board = (tries: number) =>
        world.ask(
          `${name} try ${tries}`,
          (deps) =>
            product.boardTerminal(deps, {
              accountId: ACCOUNT,
              terminalId,
              name: terminalName,
              channel: 'ecommerce',
              publicKey,
              apiKey,
            }),
          (answer) => {
            if (!(answer instanceof Error)) story.feature('terminal replaced', null);
            // The provider retries its notification.
            else if (tries < 9) world.engine.later(60_000, () => board(tries + 1));
          },
        );
      board(0);
    },
  };
}
