import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { wordsIn } from '#shared/words/bilingual';
import { walletWords } from '#shared/words/pay-words';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { SharedForm, WalletSource } from './shared-form.ts';
import { Wallets } from './Wallets.tsx';

const VIEW = { applePay: true, business: { name: 'Maple Street Dental' }, sdk: { scriptObject: 'WalletSDK' } };

const append = (tag: string, attributes: Record<string, string>, parent: Element = document.body) => {
  const element = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Simulates the provider's script with one Apple Pay session, whose sheet the test approves or cancels. */
function makeSdk(isAvailable = true) {
  const session = { begin: vi.fn(), abort: vi.fn(), oncancel: null as (() => void) | null };
  const sdk = { applePayAvailable: () => isAvailable, buildApplePaySession: vi.fn(() => session) };
  Object.assign(window, { WalletSDK: sdk });
  return { session, sdk };
}

/** Simulates a page with a form that requests the token at once, and returns controls for its state. */
function makeForm(view: object = VIEW) {
  append('script', { type: 'application/json', id: 'pay-view' }).textContent = JSON.stringify(view);
  const element = append('form', { class: 'pay-form' });
  const box = append('div', { class: 'pay-wallet' }, element);
  const card = { read: (answer: unknown) => answer as TokenResult } as CardForm;
  const tokens: Promise<TokenResult>[] = [];
  const form = {
    card,
    choice: { cents: 4600, part: { amount: '46.00' } },
    submit: vi.fn((wallet: WalletSource) => void (wallet.requestToken && tokens.push(wallet.requestToken()))),
    setHasWallet: vi.fn(),
  } satisfies SharedForm;
  const share = (changes: Partial<SharedForm> = {}) =>
    act(() => {
      window.tillwayForm = { ...form, ...changes };
      dispatchEvent(new Event('tillway-form'));
    });
  /** Reports the result of the sheet as the provider's script does. */
  const report = (result: TokenResult) =>
    (window as unknown as { tillwayCardToken(text: string, answer: unknown): void }).tillwayCardToken('', result);
  const setProcessing = (isProcessing: boolean) => {
    element.toggleAttribute('aria-busy', isProcessing);
    share();
  };
  return { form, element, box, tokens, share, report, setProcessing };
}

const renderWallets = () => render(<Wallets words={wordsIn(walletWords, 'en')} />);
const queryButton = () => screen.queryByRole('button', { name: 'Pay with Apple Pay' });

beforeEach(() => {
  delete window.tillwayForm;
});

describe('Apple Pay button', () => {
  it('appears when the provider’s script is ready, and makes the form put the signature above it', () => {
    makeSdk();
    const { form, box, share } = makeForm();
    share({ card: null });
    renderWallets();
    expect(queryButton()).toBeNull();
    share();
    expect(box.contains(queryButton())).toBe(true);
    expect(form.setHasWallet).toHaveBeenCalledExactlyOnceWith(true);
  });

  it.each([
    ['offers none on this device', () => makeSdk(false)],
    ['does not know Apple Pay', () => Object.assign(window, { WalletSDK: {} })],
  ])('does not appear if the provider’s script %s', (_title, prepare) => {
    prepare();
    const { form, box, share } = makeForm();
    renderWallets();
    share();
    expect(queryButton()).toBeNull();
    expect(box.hidden).toBe(true);
    expect(form.setHasWallet).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('does not appear if the business does not accept Apple Pay', () => {
    makeSdk();
    const { box, share } = makeForm({ ...VIEW, applePay: undefined });
    renderWallets();
    share();
    expect(queryButton()).toBeNull();
    expect(box.hidden).toBe(true);
  });

  it('opens the sheet during the click, with the business and the chosen amount, and returns the token', async () => {
    const { sdk, session } = makeSdk();
    const { tokens, share, report } = makeForm();
    renderWallets();
    share();
    await userEvent.click(queryButton() as HTMLElement);
    const total = { label: 'Maple Street Dental', type: 'final', amount: '46.00' };
    expect(sdk.buildApplePaySession).toHaveBeenCalledExactlyOnceWith({ total });
    expect(session.begin).toHaveBeenCalledOnce();
    report({ ok: true, token: { jwt: 'a.b.c' } });
    expect(await tokens[0]).toEqual({ ok: true, token: { jwt: 'a.b.c' } });
  });

  it('opens no sheet until the signature checkbox is ticked, and moves the focus to it', async () => {
    makeSdk();
    const { form, element, share } = makeForm();
    const tick = append('input', { type: 'checkbox', id: 'pay-signature-tick' }, element) as HTMLInputElement;
    renderWallets();
    share();
    await userEvent.click(queryButton() as HTMLElement);
    expect(document.activeElement).toBe(tick);
    screen.getByText('Tick to sign first');
    expect(form.submit).not.toHaveBeenCalled();
    await userEvent.click(tick);
    screen.getByText('Or enter your card details below');
    await userEvent.click(queryButton() as HTMLElement);
    expect(form.submit).toHaveBeenCalledOnce();
  });

  it('shows no message if the payer closes the sheet', async () => {
    const { session } = makeSdk();
    const { tokens, share } = makeForm();
    renderWallets();
    share();
    await userEvent.click(queryButton() as HTMLElement);
    session.oncancel?.();
    expect(await tokens[0]).toEqual({ ok: false, message: '' });
  });

  it('shows a message if the sheet cannot be opened', async () => {
    const { session } = makeSdk();
    session.begin.mockImplementation(() => {
      throw new Error('no user gesture');
    });
    const { tokens, share } = makeForm();
    renderWallets();
    share();
    await userEvent.click(queryButton() as HTMLElement);
    expect(await tokens[0]).toEqual({
      ok: false,
      message: 'Apple Pay could not be opened. Please enter your card details.',
    });
  });

  it('does nothing while a payment is being processed, and closes a sheet that is still open afterwards', async () => {
    const { session } = makeSdk();
    const { form, share, setProcessing } = makeForm();
    renderWallets();
    share();
    await userEvent.click(queryButton() as HTMLElement);
    setProcessing(true);
    await userEvent.click(queryButton() as HTMLElement);
    expect(form.submit).toHaveBeenCalledOnce();
    expect(session.abort).not.toHaveBeenCalled();
    setProcessing(false);
    expect(session.abort).toHaveBeenCalledOnce();
  });

  it('appears again in a form that was reopened', () => {
    makeSdk();
    const first = makeForm();
    renderWallets();
    first.share();
    first.element.remove();
    const second = makeForm();
    second.share();
    expect(second.box.contains(queryButton())).toBe(true);
    expect(second.form.setHasWallet).toHaveBeenCalledExactlyOnceWith(true);
  });
});
