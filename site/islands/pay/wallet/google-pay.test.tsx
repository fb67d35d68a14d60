import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wordsIn } from '#shared/words/bilingual';
import { walletWords } from '#shared/words/pay-words';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { SharedForm, WalletSource } from './shared-form.ts';
import { Wallets } from './Wallets.tsx';

const total = { label: 'Maple Street Dental', amount: '184.00', type: 'final' };
const VIEW = {
  business: { name: 'Maple Street Dental' },
  googlePay: true,
  sdk: {
    scriptObject: 'GoogleSDK',
    baseUrl: 'https://gateway.example',
    publicKey: 'pk',
    googlePay: { enableGooglePay: true, googlePayRequest: { total }, googlePayButtonConfig: {} },
  },
};

const CANCELLATION = { ok: false, message: 'Payment token generation failed: CANCELED' } as const;

/** Simulates the built page with the form, and the provider's script, which draws Google's button. */
function openPage({ isReady = true } = {}) {
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div id="home"><div id="google-pay-button"></div></div><form class="pay-form"><div class="pay-wallet"></div></form>
<script type="application/json" id="pay-view">${JSON.stringify(VIEW)}</script>
<div id="payment-form"><input id="card-field"></div><input id="pay-signature-tick" type="checkbox">
<script type="application/json" id="card-options">{"options":{"paymentFormId":"payment-form"},"dark":""}</script>`,
  );
  const openSheet = vi.fn();
  const drawButton = () => {
    const button = document.createElement('button');
    button.addEventListener('click', openSheet);
    document.getElementById('google-pay-button')?.appendChild(button);
  };
  const sdk = { googlePayAvailable: () => isReady, init: vi.fn((_options: object) => drawButton()), reset: vi.fn() };
  Object.assign(window, { GoogleSDK: sdk });
  if (isReady) drawButton();

  const paid: Promise<TokenResult>[] = [];
  const element = document.querySelector('.pay-form') as HTMLElement;
  const box = document.querySelector('.pay-wallet') as HTMLElement;
  const tick = document.getElementById('pay-signature-tick') as HTMLInputElement;
  tick.checked = true;
  const form = {
    card: { read: (answer: unknown) => answer as TokenResult } as CardForm,
    choice: { cents: 18_400 },
    submit: vi.fn((wallet: WalletSource): 'ready' | undefined => {
      if (!wallet.requestToken) return 'ready';
      paid.push(wallet.requestToken());
      return undefined;
    }),
    setHasWallet: vi.fn(),
  } satisfies SharedForm;
  const share = (changes: Partial<SharedForm> = {}) =>
    act(() => {
      window.tillwayForm = { ...form, ...changes };
      dispatchEvent(new Event('tillway-form'));
    });
  const button = () => document.querySelector('#google-pay-button button') as HTMLElement;
  /** Reports the result of the sheet as the provider's script does. */
  const report = (result: TokenResult) =>
    (window as unknown as { tillwayCardToken(text: string, answer: unknown): void }).tillwayCardToken('', result);
  share();
  render(<Wallets words={wordsIn(walletWords, 'en')} />);
  const setProcessing = (isOn: boolean) => {
    element.toggleAttribute('aria-busy', isOn);
    share();
  };
  return { form, box, tick, sdk, paid, share, setProcessing, button, report, openSheet };
}

async function openPageWithButton() {
  const page = openPage();
  await waitFor(() => expect(page.box.contains(page.button())).toBe(true));
  return page;
}

const TOKEN = { ok: true, token: { jwt: 'a.b.c' } } as const;

beforeEach(() => {
  delete window.tillwayForm;
});
afterEach(() => {
  vi.useRealTimers();
  // Before the page's data goes, since a late effect still reads it.
  cleanup();
  document.body.replaceChildren();
});

describe('Google Pay button', () => {
  it('is moved below the signature when the provider’s script has drawn it', async () => {
    const { form, box } = await openPageWithButton();
    expect(box.hidden).toBe(false);
    expect(form.setHasWallet).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('leaves no empty space if the provider’s script never draws it', async () => {
    vi.useFakeTimers();
    const { box, form } = openPage({ isReady: false });
    expect(box.hidden).toBe(false);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(box.hidden).toBe(true);
    expect(form.setHasWallet).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('opens the sheet if the form is complete, and pays with the token', async () => {
    const { button, openSheet, report, paid, form } = await openPageWithButton();
    await userEvent.click(button());
    expect(openSheet).toHaveBeenCalledOnce();
    expect(form.submit).toHaveBeenCalledExactlyOnceWith({ name: 'google' });
    report(TOKEN);
    expect(await paid[0]).toEqual(TOKEN);
    report(TOKEN);
    expect(paid).toHaveLength(1);
  });

  it('opens no sheet if the signature or a field is missing, or during a payment', async () => {
    const { button, openSheet, form, tick, setProcessing } = await openPageWithButton();
    tick.checked = false;
    await userEvent.click(button());
    expect(document.activeElement).toBe(tick);
    screen.getByText('Tick to sign first');
    await userEvent.click(tick);
    form.submit.mockReturnValueOnce(undefined);
    await userEvent.click(button());
    setProcessing(true);
    await userEvent.click(button());
    expect(openSheet).not.toHaveBeenCalled();
    expect(form.submit).toHaveBeenCalledOnce();
  });

  it('does not change the form if the sheet is closed, even if the provider does not report that', async () => {
    const { button, report, paid, openSheet } = await openPageWithButton();
    await userEvent.click(button());
    report(CANCELLATION);
    await userEvent.click(button());
    expect(openSheet).toHaveBeenCalledTimes(2);
    expect(paid).toEqual([]);
  });

  it('reports a failure of the sheet', async () => {
    const { button, report, paid } = await openPageWithButton();
    await userEvent.click(button());
    report({ ok: false, message: 'Payment token generation failed: no merchant' });
    expect(await paid[0]).toEqual({ ok: false, message: 'Payment token generation failed: no merchant' });
  });

  it('ignores a token that arrives after a card payment has started', async () => {
    const { button, report, paid, setProcessing } = await openPageWithButton();
    await userEvent.click(button());
    setProcessing(true);
    setProcessing(false);
    report(TOKEN);
    expect(paid).toEqual([]);
  });
});

describe('Google Pay with another amount', () => {
  it('pays nothing if the payer chose another amount while the sheet was open', async () => {
    const { button, report, paid, share } = await openPageWithButton();
    await userEvent.click(button());
    share({ choice: { cents: 4600, part: { amount: '46.00' } } });
    report(TOKEN);
    expect(await paid[0]).toEqual({ ok: false, message: expect.stringContaining('You changed the amount while') });
  });

  it('draws the button again for the chosen amount, and opens no sheet before that', async () => {
    const { button, openSheet, share, sdk } = await openPageWithButton();
    share({ choice: { cents: 4600, part: { amount: '46.00' } } });
    await userEvent.click(button());
    expect(openSheet).not.toHaveBeenCalled();
    await waitFor(() => expect(sdk.init).toHaveBeenCalledOnce());
    expect(sdk.reset).toHaveBeenCalledOnce();
    expect(sdk.init).toHaveBeenCalledWith({
      paymentFormId: 'payment-form',
      enableGooglePay: true,
      googlePayRequest: { total: { ...total, amount: '46.00' } },
      googlePayButtonConfig: {},
      baseUrl: 'https://gateway.example',
      pk: 'pk',
    });
    expect(document.querySelectorAll('#google-pay-button button')).toHaveLength(1);
    await userEvent.click(button());
    expect(openSheet).toHaveBeenCalledOnce();
  });

  it('hides the button if drawing it again would clear card fields that the payer has used', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { share, sdk } = await openPageWithButton();
    document.getElementById('card-field')?.focus();
    act(() => void dispatchEvent(new Event('blur')));
    const googleBox = document.getElementById('google-pay-button') as HTMLElement;
    share({ choice: { cents: 4600, part: { amount: '46.00' } } });
    expect(googleBox.hidden).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(sdk.init).not.toHaveBeenCalled();
    share({ choice: { cents: 18_400 } });
    expect(googleBox.hidden).toBe(false);
  });
});
