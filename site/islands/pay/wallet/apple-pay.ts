import { decimalFromCents } from '#shared/money';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { ChosenAmount } from '../Part.tsx';
import { listenForResults, sdkOf, type View } from './provider.ts';

/** An Apple Pay session. `abort` throws if its sheet is already closed. */
export type AppleSession = { begin(): void; abort(): void; oncancel: (() => void) | null };

type PaymentSheet = { total: { label: string; type: 'final'; amount: string } };
type AppleSdk = { applePayAvailable?(): boolean; buildApplePaySession(sheet: PaymentSheet): AppleSession };

/** True if the provider's script offers Apple Pay on this device. */
export function isAvailable(view: View): boolean {
  try {
    return sdkOf<AppleSdk>(view)?.applePayAvailable?.() === true;
  } catch {
    return false;
  }
}

type SheetOptions = {
  view: View;
  card: CardForm;
  choice: ChosenAmount;
  /** The message for the payer if the sheet cannot be opened. */
  failureText: string;
  onSession(session: AppleSession): void;
};

/**
 * Opens the sheet. Browsers allow this only while they handle a click. Resolves with the token that the provider's
 * script creates from the chosen card, or with an empty message if the payer closes the sheet.
 */
export function openSheet({ view, card, choice, failureText: failed, onSession }: SheetOptions): Promise<TokenResult> {
  return new Promise((resolve) => {
    listenForResults(card, resolve);
    try {
      const total = { label: view.business.name, type: 'final', amount: decimalFromCents(choice.cents) } as const;
      const session = sdkOf<AppleSdk>(view)?.buildApplePaySession({ total });
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
export function closeSheet(session: AppleSession | null): void {
  try {
    session?.abort();
  } catch {
    // The sheet is already closed.
  }
}
