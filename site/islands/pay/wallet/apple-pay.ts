import type { PayView } from '#shared/contracts/payment';
import { decimalFromCents } from '#shared/money';
import type { handlers } from '../card-options.ts';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { ChosenAmount } from '../Part.tsx';

type View = Pick<PayView, 'business' | 'sdk'>;

/** The data of the page; see pay-view.ts. */
export const readView = (): View => JSON.parse(document.getElementById('pay-view')?.textContent ?? '');

/** A session of Apple Pay. `abort` throws if its sheet is already closed. */
export type Session = { begin(): void; abort(): void; oncancel: (() => void) | null };

type Sheet = { total: { label: string; type: 'final'; amount: string } };
type WalletSdk = { applePayAvailable?(): boolean; buildApplePaySession(sheet: Sheet): Session };

const sdkOf = ({ sdk }: View): WalletSdk | undefined =>
  (window as unknown as Record<string, WalletSdk | undefined>)[sdk.scriptObject];

/** True if the provider's script offers Apple Pay on this device. */
export function isAvailable(view: View): boolean {
  try {
    return sdkOf(view)?.applePayAvailable?.() === true;
  } catch {
    return false;
  }
}

// Their values are repeated here, since an import would be one more file for each payer.
const CALLBACKS: ((typeof handlers)['successCallback'] | (typeof handlers)['errorCallback'])[] = [
  'tillwayCardToken',
  'tillwayCardError',
];

type SheetOptions = {
  view: View;
  card: CardForm;
  choice: ChosenAmount;
  /** The message if the sheet cannot be opened. */
  failed: string;
  onSession(session: Session): void;
};

/**
 * Opens the sheet, which must happen during the press itself. Resolves with the token that the provider's script makes
 * of the chosen card, or without a message if the payer closes the sheet.
 */
export function openSheet({ view, card, choice, failed, onSession }: SheetOptions): Promise<TokenResult> {
  return new Promise((resolve) => {
    const onAnswer = (_text: string, answer: unknown) => resolve(card.read(answer));
    Object.assign(window, Object.fromEntries(CALLBACKS.map((name) => [name, onAnswer])));
    try {
      const total = { label: view.business.name, type: 'final', amount: decimalFromCents(choice.cents) } as const;
      const session = sdkOf(view)?.buildApplePaySession({ total });
      if (!session) return resolve({ ok: false, message: failed });
      session.oncancel = () => resolve({ ok: false, message: '' });
      onSession(session);
      session.begin();
    } catch {
      resolve({ ok: false, message: failed });
    }
  });
}

/** Closes the sheet if the provider's script has left it open. */
export function close(session: Session | null): void {
  try {
    session?.abort();
  } catch {
    // It is closed already.
  }
}
