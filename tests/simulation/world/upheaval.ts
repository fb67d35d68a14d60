import type { Move } from './plan.ts';
import { ACCOUNT, bills, SPARE, WEB } from './setting.ts';
import type { World } from './world.ts';

/** Time zones with another date or other clock changes. */
const ZONES = ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland', 'UTC'];

/** Rare events that change much for a clinic: its time zone, its records in the CRM, its terminals, its database. */
export function upheavalOf(world: World) {
  const { story, gateway, crm, product, database } = world;

  const met = (fault: string, who: string, what: string, invoiceId: string | null = null) => {
    story.note(who, what);
    story.feature(fault, invoiceId);
  };

  return {
    'void-refund-by-hand'({ bill }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const { charges, reversals } = gateway.truth();
      const own = new Set(charges.filter(({ orderId }) => world.invoiceOf(orderId) === invoiceId).map(({ id }) => id));
      const refund = reversals.findLast(
        ({ ofId, kind, state }) => own.has(ofId) && kind === 'refund' && state === 'approved',
      );
      if (!refund) return;
      const isDone = gateway.byHand.void(refund.id);
      story.note("the provider's pages", `void a refund: ${isDone ? 'done' : 'refused'}`);
    },

    'change-zone'({ token }: Move) {
      const zone = ZONES[Number(token) % ZONES.length] ?? 'UTC';
      database.storage.sql.exec('UPDATE accounts SET time_zone = ?', zone);
      world.zones.push({ from: world.engine.now(), zone });
      met('zone change', 'the CRM', `the account is in ${zone} now`);
    },

    'crm-delete'({ bill, isNamed }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.edit(ACCOUNT, invoiceId, { isArchived: isNamed === true });
      met('CRM delete', 'the CRM', `${invoiceId} is ${isNamed ? 'deleted' : 'there again'}`, invoiceId);
    },

    'crm-renumber'({ bill, n }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.renumber(ACCOUNT, invoiceId, `INV-${invoiceId}-${n}`);
      met('CRM number change', 'the CRM', `${invoiceId} has another number`, invoiceId);
    },

    'crm-merge'({ bill }: Move) {
      const { invoiceId = '' } = bills[bill] ?? {};
      crm.merge(ACCOUNT, invoiceId, bills[1]?.invoiceId ?? '');
      met('CRM merge', 'the CRM', `the contact of ${invoiceId} is merged into another one`, invoiceId);
    },

    'record-unheard'() {
      world.trouble.unheardRecords += 1;
    },

    'keep-backup'() {
      story.note('the platform', 'keeps a backup');
      database.keep();
    },

    restore() {
      if (world.restore()) story.feature('restore', null);
    },

    'close-terminal'() {
      gateway.closeTerminal(WEB);
      met('terminal closed', 'the provider', `closes ${WEB}`);
    },

    'replace-terminal'(_move: Move, name: string) {
      if (world.web === SPARE.terminalId) return;
      gateway.addTerminal(WEB, SPARE);
      world.web = SPARE.terminalId;
      story.note('the provider', `opens ${SPARE.terminalId}`);
      const { terminalId, name: called, publicKey, apiKey } = SPARE;
      const board = (tries: number) =>
        world.ask(
          `${name} try ${tries}`,
          (deps) =>
            product.boardTerminal(deps, {
              accountId: ACCOUNT,
              terminalId,
              name: called,
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
