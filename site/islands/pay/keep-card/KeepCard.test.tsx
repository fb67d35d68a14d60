import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PayView } from '#shared/contracts/payment';
import { payPageFill } from '#shared/text/pay-page-fill';
import { wordsIn } from '#shared/words/bilingual';
import { billWords } from '#shared/words/bill-and-receipt-words';
import type { Language } from '#shared/words/language';
import { payPageWords } from '#shared/words/pay-words';
import { keepCardConsent, keepCardOffer } from '#shared/words/stored-card-words';
import { PayForm } from '../PayForm.tsx';
import type { PayInput, Payment } from '../use-payment.ts';
import { PayWords } from '../words.ts';
import { KeepCard, OFFER_ID, TERMS_ID } from './KeepCard.tsx';

const BUSINESS = 'Maple Street Dental';

const VIEW: PayView = {
  payId: 'pay',
  state: 'ready',
  business: { name: BUSINESS, phone: '', email: '' },
  timeZone: 'UTC',
  invoice: { number: 'INV-1', amountDue: '184.00', currency: 'USD', dueDate: null },
  keepCard: true,
  customer: { firstName: 'Marta', lastName: 'Núñez' },
  addressOnFile: '4•• M•••• St',
  company: { name: '' },
  sdk: {
    provider: 'Provider',
    scriptUrl: '/sdk.js',
    scriptObject: 'TestSDK',
    baseUrl: '',
    publicKey: '',
    sandbox: true,
  },
};

const append = (tag: string, id: string, text: string) => {
  const element = document.body.appendChild(document.createElement(tag));
  element.id = id;
  element.textContent = text;
};

/** Renders the form and the offer, with the texts that the Worker writes into the page. */
async function openForm({ view = {}, language = 'en' }: { view?: Partial<PayView>; language?: Language } = {}) {
  const { offer, terms } = keepCardOffer(language, BUSINESS);
  append('p', OFFER_ID, offer);
  append('p', TERMS_ID, terms);
  append('script', 'card-options', '{"options":{}}');
  Object.assign(window, { TestSDK: { init: () => undefined, reset: () => undefined } });
  const pay = vi.fn((_source: unknown, _input: PayInput) => Promise.resolve());
  const shownView = { ...VIEW, ...view };
  const page = (processing = false) => (
    <PayWords value={payPageWords(language)}>
      <PayForm
        view={shownView}
        texts={payPageFill(shownView, language, wordsIn(billWords, language))}
        payment={{ processing, pay, cardRound: 0, reopenCard: vi.fn(), refuseCard: vi.fn() } satisfies Payment}
        problem={null}
        onProblem={() => undefined}
      />
    </PayWords>
  );
  const { rerender } = render(page());
  render(<KeepCard />);
  // The card form opens asynchronously.
  await act(() => Promise.resolve());
  const form = document.querySelector<HTMLFormElement>('.pay-form') as HTMLFormElement;
  return {
    setProcessing: (processing: boolean) => rerender(page(processing)),
    /** Changes to a card or a bank account, as the provider's script does. */
    setType: (type: 'card' | 'ach') =>
      act(() => (window as unknown as { tillwayPaymentType(type: string): void }).tillwayPaymentType(type)),
    /** Ticks what the form requires, and returns the details of the payment. */
    async payWithCard(): Promise<PayInput | undefined> {
      for (const id of ['pay-signature-tick', 'pay-onFile']) {
        const box = document.getElementById(id) as HTMLInputElement;
        if (!box.checked) await userEvent.click(box);
      }
      await act(() => form.requestSubmit());
      return pay.mock.lastCall?.[1];
    },
    payWithWallet(): PayInput | undefined {
      const requestToken = () => Promise.resolve({ ok: false, message: '' } as const);
      act(() => void window.tillwayForm?.submit({ name: 'apple', requestToken }));
      return pay.mock.lastCall?.[1];
    },
  };
}

const queryOffer = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: /^(Keep this card|Guardar esta)/ });

beforeEach(() => {
  delete window.tillwayForm;
  // The ticked signature becomes an image, which needs the width of the name.
  const context = { measureText: () => ({ width: 0 }), setTransform() {}, fillRect() {}, fillText() {} };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
});

describe('the offer to keep the card', () => {
  it.each(['en', 'es'] as const)('is unticked, and shows all words of the consent (%s)', async (language) => {
    await openForm({ language });
    const offer = queryOffer();
    expect(offer?.checked).toBe(false);
    const described = document.getElementById(offer?.getAttribute('aria-describedby') ?? '');
    const words = `${offer?.closest('label')?.textContent} ${described?.textContent}`;
    expect(words).toBe(keepCardConsent(language, BUSINESS));
    expect(document.querySelector('.pay-form .pay-keep')?.contains(offer)).toBe(true);
  });

  it('does not appear if the page has none', async () => {
    await openForm({ view: { keepCard: undefined } });
    expect(queryOffer()).toBeNull();
  });

  it('is sent only if the payer ticks it', async () => {
    const { payWithCard } = await openForm();
    const input = await payWithCard();
    expect(input).toMatchObject({ addressOnFile: true, paymentType: 'card' });
    expect(input).not.toHaveProperty('keepCard');
    await userEvent.click(queryOffer() as HTMLElement);
    expect(await payWithCard()).toMatchObject({ keepCard: true, addressOnFile: true, paymentType: 'card' });
  });

  it('is not sent with a wallet', async () => {
    const { payWithCard, payWithWallet } = await openForm();
    await userEvent.click(queryOffer() as HTMLElement);
    expect(await payWithCard()).toHaveProperty('keepCard');
    const input = payWithWallet();
    expect(input).toMatchObject({ wallet: 'apple' });
    expect(input).not.toHaveProperty('keepCard');
  });

  it('disappears with a bank account, and is unticked when the payer returns to the card', async () => {
    const { setType, payWithCard } = await openForm();
    await userEvent.click(queryOffer() as HTMLElement);
    setType('ach');
    expect(queryOffer()).toBeNull();
    const input = await payWithCard();
    expect(input).toMatchObject({ paymentType: 'ach' });
    expect(input).not.toHaveProperty('keepCard');
    setType('card');
    expect(queryOffer()?.checked).toBe(false);
  });

  it('cannot be changed while a payment is being processed', async () => {
    const { setProcessing } = await openForm();
    setProcessing(true);
    expect(queryOffer()?.disabled).toBe(true);
    setProcessing(false);
    expect(queryOffer()?.disabled).toBe(false);
  });
});
