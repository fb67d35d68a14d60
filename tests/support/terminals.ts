import type { StartSaleBody } from '#shared/contracts/payments/terminals';
import { users } from '#worker/data/schema/schema';
import { boardTerminal } from '#worker/domain/merchants/connect';
import type { Merchant } from '#worker/domain/merchants/session';
import { runTerminalSale, startTerminalSale } from '#worker/domain/terminals/sale';
import { makeWorld } from './unit/world.ts';

export type DeskWorld = Awaited<ReturnType<typeof makeCounter>>;

/** A world with two card readers at the counter and two staff members. */
export async function makeCounter(overrides: Record<string, unknown> = {}) {
  const world = await makeWorld(overrides);
  const { accountId, deps, db } = world;
  const [front, back] = [`F${accountId}`, `B${accountId}`];
  for (const [terminalId, name] of [
    [front, 'Front counter 1'],
    [back, 'Front counter 2'],
  ] as const) {
    const keys = { publicKey: 'abc', apiKey: `key-${terminalId}` };
    await boardTerminal(deps, { accountId, terminalId, name, channel: 'counter', ...keys });
  }
  const addPerson = async (userId: number, email: string): Promise<Merchant> => {
    await db.insert(users).values({ accountId, userId, email, lastLoginAt: world.clock.now });
    return { sessionId: `s${accountId}`, accountId, userId, role: 'desk' };
  };
  const ana = await addPerson(1, 'ana@maple.example');
  const ben = await addPerson(2, 'ben@maple.example');
  const start = (body: Partial<StartSaleBody> = {}, merchant = ana, terminalId = front) =>
    startTerminalSale(deps, merchant, terminalId, { invoiceId: world.invoiceId, ...body });
  /** Starts a sale and waits until the card reader is done. */
  const sell = async (body: Partial<StartSaleBody> = {}, merchant = ana, terminalId = front) => {
    const outcome = await start(body, merchant, terminalId);
    if (outcome.kind === 'started' && outcome.isNew) await runTerminalSale(deps, outcome.counter);
    return outcome;
  };
  const attempt = async () => (await world.attempts()).at(-1);
  return { ...world, front, back, ana, ben, start, sell, attempt };
}
