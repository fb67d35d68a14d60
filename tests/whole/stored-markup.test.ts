import { describe, expect, it } from 'vitest';
import { until, useProduct } from '#tests/support/product/product';
import { expectPaidOnce } from './expect-money.ts';
import { payerOf } from './payer.ts';

const product = useProduct();
const { pay, read } = payerOf(product);

const IMG = '<img src=x onerror=alert(1)>';
const ESCAPED = '&lt;img src=x onerror=alert(1)';

/** Elements that are not ours: an image without our address, or any handler in an attribute. */
const foreignElements = (html: string) =>
  html.match(/<img(?![^>]*(?:\ssrc="\/receipt\/|data-src))[^>]*>|<[a-z][^>]*\son\w+=/gi) ?? [];

/** JSON blocks for the script; their values must not end the element. */
const scriptBlocks = (html: string) =>
  [...html.matchAll(/<script[^>]*application\/json[^>]*>([\s\S]*?)<\/script>/g)].map(([, json]) => json ?? '');

describe('markup from the CRM', () => {
  it('is shown as text on the pay page, on the receipt and in the mail', async () => {
    const tag = crypto.randomUUID().slice(0, 8);
    const link = await product.makeLink({
      number: `${IMG}${tag}`,
      contact: { firstname: IMG, lastname: `</script>${IMG}`, email: `${tag}@payer.example` },
      company: { name: `"'>${IMG}` },
    });
    const email = `${tag}@payer.example`;

    const page = await read(`/make/payment/${link.payId}`);
    expect(page.status).toBe(200);
    expect(foreignElements(page.text)).toEqual([]);
    expect(page.text).toContain(ESCAPED);
    const blocks = scriptBlocks(page.text);
    for (const json of blocks) expect(json).not.toContain('<');
    // The other block configures the card form and is the same for every payer.
    const views = blocks.map((json) => JSON.parse(json)).filter((block) => 'customer' in block);
    expect(views).toMatchObject([{ customer: { firstName: IMG }, company: { name: `"'>${IMG}` } }]);

    const { reply } = await pay(link.payId, await product.form({ firstName: IMG, lastName: `{{7*7}}${IMG}` }));
    expect(reply.status).toBe('success');
    const receipt = await read(reply.receiptUrl ?? '');
    expect(receipt.status).toBe(200);
    expect(foreignElements(receipt.text)).toEqual([]);
    expect(receipt.text).toContain(ESCAPED);

    const [mail] = await until(
      () => product.mailTo(email),
      (mails) => mails.length > 0,
    );
    expect(foreignElements(mail?.html ?? '')).toEqual([]);
    expect(mail?.html).toContain(ESCAPED);
    expect(mail?.text).toContain(IMG);
    expect(mail?.subject).toContain(IMG);

    const paid = await read(`/make/payment/${link.payId}`);
    expect(foreignElements(paid.text)).toEqual([]);
    await expectPaidOnce(product, link, '184.00');
  });

  it('cannot add a line or a header to the mail', async () => {
    const tag = crypto.randomUUID().slice(0, 8);
    const link = await product.makeLink({
      number: `T-${tag}\r\nBcc: all@example.com`,
      contact: { firstname: 'Marta\r\nAmount: $0.01', lastname: 'Núñez', email: `${tag}@payer.example` },
    });
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    const mails = await until(
      () => product.mailTo(`${tag}@payer.example`),
      (list) => list.length > 0,
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).not.toMatch(/[\r\n]/);
    expect(mails[0]?.text).not.toMatch(/^(Bcc:|Amount: \$0)/m);
    expect(await product.mailTo('all@example.com')).toEqual([]);
  });
});
