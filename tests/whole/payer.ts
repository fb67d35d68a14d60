import type { PaymentStatus, TakePaymentReply } from '#shared/contracts/payments/payment-answers';
import { type Answer, answerOf, ask, expectPrivate, payerAddress } from './answers.ts';
import type { Product } from './expect-money.ts';

/** The calls of a payer's browser, without the browser. */
export function payerOf(product: Product) {
  const read = async (path: string): Promise<Answer> => {
    const answer = await ask(product.appUrl, path);
    expectPrivate(answer);
    return answer;
  };
  return {
    read,
    pay: async (payId: string, form: unknown): Promise<Answer & { reply: TakePaymentReply }> => {
      const answer = await answerOf(await product.pay(payId, form, payerAddress()));
      expectPrivate(answer);
      return { ...answer, reply: JSON.parse(answer.text) as TakePaymentReply };
    },
    statusOf: async (payId: string) => JSON.parse((await read(`/api/invoices/${payId}/payment`)).text) as PaymentStatus,
  };
}

/** The text of a page as a person reads it. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
