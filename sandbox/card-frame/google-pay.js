/**
 * Simulates Google's browser script: the part of its public reference that the provider's script needs. The sheet is a
 * box on the page and, like Google's own window, leaves the page usable.
 */
(() => {
  /** On a device without Google Pay 'off'. The sandbox's setting `google_pay` replaces the value. */
  const GOOGLE_PAY = 'ready';
  const GOOGLE = 'https://pay.google.com';

  /** The cards of the simulated sheet, by the label of their button. */
  const CARDS = { Approve: '4111111111111111', 'Approve with a declined card': '4000000000000002' };
  const LABELS = { en: 'Pay with Google Pay', es: 'Pagar con Google Pay' };

  /** [documented] Resolves with a token, or rejects with a status code. */
  function openSheet({ merchantInfo, transactionInfo }) {
    return new Promise((resolve, reject) => {
      const sheet = document.createElement('dialog');
      sheet.style.cssText = 'margin: auto; padding: 16px; background: #fff; color: #000';
      sheet.setAttribute('aria-label', 'Google Pay (simulated)');
      // Set properties instead of a style attribute, because the page may forbid inline styles.
      Object.assign(sheet.style, { position: 'fixed', inset: '0 auto auto 0', margin: '0', zIndex: '9' });
      const lines = ['Google Pay (simulated)', merchantInfo.merchantName, `$${transactionInfo.totalPrice}`];
      for (const text of lines) sheet.append(Object.assign(document.createElement('p'), { textContent: text }));
      const press = (label, act) => {
        const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
        button.style.cssText = 'display: block; width: 100%; margin-top: 8px; padding: 8px; border: 1px solid';
        button.addEventListener('click', () => {
          sheet.remove();
          act();
        });
        sheet.append(button);
      };
      for (const [label, card] of Object.entries(CARDS))
        press(label, () => resolve({ paymentMethodData: { tokenizationData: { token: card } } }));
      press('Fail', () =>
        reject({ statusCode: 'DEVELOPER_ERROR', statusMessage: 'Google Pay could not read this page' }),
      );
      press('Cancel', () => reject({ statusCode: 'CANCELED' }));
      document.body.append(sheet);
      sheet.show();
    });
  }

  class PaymentsClient {
    /** [documented] Needs the page's permission for Google's origin. */
    isReadyToPay() {
      const isPermitted = document.featurePolicy?.allowsFeature('payment', GOOGLE) ?? true;
      return Promise.resolve({ result: GOOGLE_PAY === 'ready' && isPermitted });
    }

    /** [documented] A button in a box of its own; its looks come from Google. */
    createButton({ onClick, buttonLocale }) {
      const button = Object.assign(document.createElement('button'), { type: 'button', className: 'gpay-button' });
      button.setAttribute('aria-label', LABELS[buttonLocale] ?? LABELS.en);
      button.addEventListener('click', onClick);
      const box = document.createElement('div');
      box.append(button);
      return box;
    }

    loadPaymentData(request) {
      return openSheet(request);
    }
  }

  window.google = { payments: { api: { PaymentsClient } } };
})();
