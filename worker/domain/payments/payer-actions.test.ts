import { describe, expect, it } from 'vitest';
import { png } from '#tests/support/content/png';
import { paymentForm } from '#tests/support/pay-form';
import { declinedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { readReceipt } from '#worker/domain/mail/receipt';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { takePayment } from './take-payment.ts';

const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
const NO_FIELDS = { address: '', address2: '', city: '', state: '', zip: '', addressOnFile: true as const };

async function makeWorldWithAddress(contactAddress = HOME): Promise<World> {
  const world = await makeWorld();
  if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, contactAddress };
  world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
  return world;
}
const pay = (world: World, overrides: Parameters<typeof paymentForm>[0] = {}) =>
  takePayment(world.deps, world.payId, paymentForm({ ...NO_FIELDS, ...overrides }), {
    clientIp: `ip-${world.accountId}`,
  });
const view = async (world: World) => {
  const result = await viewLink(world.deps, world.payId);
  if (!('view' in result)) throw new Error(result.kind);
  return result;
};

describe('a payer with an address on file', () => {
  it('is offered the address masked, without its street, number or ZIP being sent with the page', async () => {
    const world = await makeWorldWithAddress();
    const result = await view(world);
    expect(result.view.addressOnFile).toBe('4•• M•••• Street, 46•••');
    expect(JSON.stringify(result)).not.toMatch(/418 Maple|46204/);
  });

  it.each(['address', 'city', 'state', 'zip'])('is not offered an address without its %s', async (part) => {
    const world = await makeWorldWithAddress({ ...HOME, [part]: ' ' });
    expect((await view(world)).view.addressOnFile).toBe('');
  });

  it('is not offered the address when the CRM has no contact name', async () => {
    const world = await makeWorldWithAddress();
    if (world.crm.invoice) world.crm.invoice.contact = { firstName: '', lastName: '', email: '' };
    expect((await view(world)).view.addressOnFile).toBe('');
  });

  it('pays with the CRM’s current address, read in the same call as the amount', async () => {
    const world = await makeWorldWithAddress();
    await view(world);
    const reads = world.crm.reads;
    if (world.crm.invoice) world.crm.invoice.contactAddress = { ...HOME, address: '9 New Road' };
    expect((await pay(world)).kind).toBe('approved');
    expect(world.crm.reads).toBe(reads + 1);
    expect(world.gateway.charges[0]?.billing).toMatchObject({ ...HOME, address: '9 New Road', firstName: 'Marta' });
    const [attempt] = await world.attempts();
    expect(JSON.stringify(await readReceipt(world.deps, attempt?.receiptId ?? ''))).not.toMatch(/New Road|46204/);
  });

  it('must enter the fields that are missing at payment, before any claim or charge', async () => {
    const world = await makeWorldWithAddress();
    await view(world);
    if (world.crm.invoice) world.crm.invoice.contactAddress = { ...HOME, city: '', zip: ' ' };
    expect(await pay(world)).toEqual({ kind: 'address-missing', fields: ['city', 'zip'] });
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
    expect((await pay(world, { ...HOME, addressOnFile: undefined })).kind).toBe('approved');
  });

  it('sees only that the card was declined when the address caused the decline', async () => {
    const world = await makeWorldWithAddress();
    world.gateway.script.charge = (request) => ({
      ...declinedOutcome(request),
      message: 'AVS refused',
      providerCode: '046',
    });
    const outcome = await pay(world);
    expect(outcome).toMatchObject({ attempt: { message: 'Your card was declined.', providerCode: '023' } });
  });
});

describe('the signature of a payment', () => {
  it('is recorded with its method and wording, and with the name on the invoice', async () => {
    const world = await makeWorld();
    const signing = { kind: 'ticked' as const, words: 'I am Daniel Whitfield and sign this payment' };
    const payer = { firstName: 'Daniel', lastName: 'Whitfield' };
    const body = paymentForm({ ...payer, signing });
    await takePayment(world.deps, world.payId, body, { clientIp: `ip-${world.accountId}` });
    const [attempt] = await world.attempts();
    expect(attempt).toMatchObject({
      signedBy: 'ticked',
      signedWords: signing.words,
      billedTo: 'Marta Núñez',
      payerFirstName: 'Daniel',
    });
  });

  it('is rejected when the image is blank, whatever else was submitted', async () => {
    const world = await makeWorld();
    const blank = png({ width: 8, height: 4, pixel: () => [255, 255, 255, 255] });
    const signature = `data:image/png;base64,${Buffer.from(blank).toString('base64')}`;
    for (const signing of [
      { kind: 'drawn' as const, words: '' },
      { kind: 'typed' as const, words: 'Marta Núñez' },
      { kind: 'ticked' as const, words: 'I am Marta Núñez and sign this payment' },
    ]) {
      const outcome = await takePayment(world.deps, world.payId, paymentForm({ signature, signing }), {
        clientIp: `ip-${world.accountId}`,
      });
      expect(outcome.kind).toBe('bad-signature');
    }
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  });
});
