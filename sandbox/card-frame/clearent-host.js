/**
 * Simulates the provider's browser script, with the options, methods, callbacks and values of the vendor's public SDK
 * docs. It runs on the product's page, whose strict policy allows no inline style text, no eval and only one frame.
 */
(() => {
  const DEFAULTS = {
    allowAutoComplete: true,
    allowEmbedded: true,
    cardFormatted: true,
    expDateFormatted: true,
    cardMasked: true,
    expDateMasked: true,
    cvcMasked: true,
    cvcRequired: true,
    clearFormOnSuccess: false,
    showValidationMessages: true,
    styles: null,
    paymentFormId: 'payment-form',
    cardPlaceholder: '',
    expDatePlaceholder: 'MMYY',
    cvcPlaceholder: '',
    enableAch: false,
    accountNumberMasked: true,
    routingNumberMasked: true,
    accountNumberPlaceholder: '',
    routingNumberPlaceholder: '',
    accountTypePlaceholder: '',
    individualNamePlaceholder: '',
    successCallback: 'ClearentTokenSuccess',
    errorCallback: 'ClearentTokenError',
    validationCallback: 'ClearentValidation',
    paymentTypeCallback: 'ClearentOnPaymentTypeChange',
    entryModeChangeCallback: 'ClearentEntryModeChange',
    cardReadStartCallback: 'ClearentCardReadStart',
    cardReadCompleteCallback: 'ClearentCardReadComplete',
    enableReader: false,
    deviceType: 'IDTECH',
    initialMode: 'manual',
    blockMetaKeys: false,
    enableGooglePay: false,
    googlePayRequest: null,
    googlePayButtonConfig: null,
  };

  /**
   * [guessed] The document that opens Apple's sheet: 'page', or 'frame', whose permission then depends on the page; 'off'
   * on a device without Apple Pay. The sandbox's setting `apple_pay` replaces the value.
   */
  const APPLE_PAY = 'page';

  /**
   * [guessed] Google's button: drawn into the page's element 'google-pay-button' or, as 'form', below the card fields; its
   * closed sheet: 'silent', or reported as an 'error'; its amount: that of `init`, or that of the options at the 'press'.
   * Its script: the sandbox's 'simulated' one, or 'google' for Google's address. Settings replace the values.
   */
  const GOOGLE_BUTTON = 'element';
  const GOOGLE_CANCEL = 'silent';
  const GOOGLE_AMOUNT = 'init';
  const GOOGLE_SCRIPT = 'simulated';

  /** The cards of the simulated sheet, by the label of their button. */
  const WALLET_CARDS = { Approve: '4111111111111111', 'Approve with a declined card': '4000000000000002' };

  /** The form on the page between `init` and `reset`. */
  let form = null;

  /** Callbacks are names of global functions. One that the page does not define is not called. */
  function call(name, ...values) {
    const callback = typeof name === 'string' ? window[name] : undefined;
    if (typeof callback === 'function') callback(...values);
  }

  function readOptions(input) {
    const options = { ...DEFAULTS };
    for (const [name, value] of Object.entries(input)) {
      if (name === 'baseUrl' || name === 'pk' || name in DEFAULTS) options[name] = value;
      else console.warn(`ClearentSDK: unknown option ${name}`);
    }
    if (typeof options.styles === 'string' && /url\s*\(|@import|data:|blob:|expression/i.test(options.styles)) {
      console.error('ClearentSDK: styles may not refer to anything outside the text itself');
      options.styles = null;
    }
    return options;
  }

  function mount(options) {
    const target = document.getElementById(options.paymentFormId);
    if (!target) {
      console.error(`ClearentSDK: no element with the id ${options.paymentFormId}`);
      return null;
    }
    const origin = new URL(options.baseUrl).origin;
    const frame = document.createElement('iframe');
    frame.title = 'Card details';
    frame.src = `${origin}/js-sdk/frame`;
    // Set properties instead of a style attribute, because the page may forbid inline styles.
    frame.style.width = '100%';
    frame.style.height = options.enableAch ? '204px' : '152px';
    frame.style.border = '0';
    frame.style.display = 'block';
    frame.style.colorScheme = 'light';
    if (APPLE_PAY === 'frame') frame.allow = 'payment';
    const mounted = {
      options,
      origin,
      frame,
      waiting: new Map(),
      next: 1,
      onMessage: null,
      ready: null,
      setReady: null,
      googleButton: null,
    };
    mounted.ready = new Promise((resolve) => {
      mounted.setReady = resolve;
    });
    mounted.onMessage = (event) => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      receive(mounted, event.data);
    };
    window.addEventListener('message', mounted.onMessage);
    frame.addEventListener('load', () => post(mounted, { type: 'init', options: forFrame(options) }));
    target.replaceChildren(frame);
    return mounted;
  }

  /** Callback names and the base address stay here. The frame gets only the options that it shows. */
  function forFrame(options) {
    return Object.fromEntries(
      Object.entries(options).filter(([name]) => !name.endsWith('Callback') && name !== 'baseUrl'),
    );
  }

  function post(target, message) {
    target.frame.contentWindow?.postMessage({ clearent: message }, target.origin);
  }

  function receive(target, data) {
    const message = data?.clearent;
    if (!message || target !== form) return;
    const { options } = target;
    if (message.type === 'ready') target.setReady();
    if (message.type === 'height') target.frame.style.height = `${Math.ceil(Number(message.height)) || 200}px`;
    if (message.type === 'validation') call(options.validationCallback, message.messages);
    if (message.type === 'payment-type') call(options.paymentTypeCallback, message.value);
    if (message.type === 'token') settle(target, message);
  }

  function settle(target, message) {
    const waiting = target.waiting.get(message.id);
    target.waiting.delete(message.id);
    if (!waiting) return;
    if (message.outcome === 'success') {
      call(target.options.successCallback, message.raw, message.value);
      waiting.resolve(message.value);
      return;
    }
    if (message.outcome === 'pending') return;
    const failure = message.value ?? new Error(message.raw);
    // The validation callback has already reported the invalid fields.
    if (message.outcome !== 'invalid') call(target.options.errorCallback, message.raw, failure);
    waiting.reject(failure);
  }

  /** Requests a token from the frame. The promise has its envelope, like the callbacks. */
  function requestToken(message) {
    const current = form;
    return new Promise((resolve, reject) => {
      const id = current.next++;
      current.waiting.set(id, { resolve, reject });
      current.ready.then(() => post(current, { ...message, id }));
    });
  }

  /** Reports a wallet's failure, for which there is no token request, to the error callback. */
  function reportFailure(message) {
    const error = { 'error-message': message, 'result-code': 'mobile-jwt-wallet' };
    const failure = { code: '400', status: 'fail', payload: { payloadType: 'error', error } };
    call(form?.options.errorCallback, JSON.stringify(failure), failure);
  }

  /** [documented] The script itself loads Google's, draws the button, and makes a token of the payer's card. */
  function offerGooglePay(current) {
    const { label, amount, type } = current.options.googlePayRequest?.total ?? {};
    if (!label || !/^\d+\.\d\d$/.test(amount) || type !== 'final') {
      console.error('ClearentSDK: googlePayRequest needs a total with a label, an amount and a type');
      return;
    }
    const script = document.createElement('script');
    const origin = GOOGLE_SCRIPT === 'google' ? 'https://pay.google.com' : current.origin;
    script.src = `${origin}/gp/p/js/pay.js`;
    script.addEventListener('load', () => drawGoogleButton(current, amount));
    document.head.append(script);
  }

  async function drawGoogleButton(current, amountAtInit) {
    const client = new window.google.payments.api.PaymentsClient({ environment: 'TEST' });
    const { result } = await client.isReadyToPay({ apiVersion: 2, apiVersionMinor: 0 });
    if (!result || current !== form) return;
    const { googlePayButtonConfig, googlePayRequest } = current.options;
    const onClick = async () => {
      const { label, amount } = googlePayRequest.total;
      const totalPrice = GOOGLE_AMOUNT === 'init' ? amountAtInit : amount;
      try {
        const { paymentMethodData } = await client.loadPaymentData({
          merchantInfo: { merchantName: label },
          transactionInfo: { totalPrice, totalPriceStatus: 'FINAL', currencyCode: 'USD', countryCode: 'US' },
        });
        const { token: card } = paymentMethodData.tokenizationData;
        if (current === form) requestToken({ type: 'get-wallet-token', card, wallet: 'GOOGLE_PAY' }).catch(() => {});
      } catch ({ statusCode, statusMessage }) {
        if (statusCode !== 'CANCELED' || GOOGLE_CANCEL === 'error') reportFailure(statusMessage ?? statusCode);
      }
    };
    const isBelowFields = GOOGLE_BUTTON === 'form';
    const place = isBelowFields ? current.frame.parentElement : document.getElementById('google-pay-button');
    current.googleButton = client.createButton({ ...googlePayButtonConfig, onClick });
    place?.append(current.googleButton);
  }

  /** True if the page's Permissions-Policy lets the document that opens the sheet do so. */
  function mayOpenSheet() {
    const { featurePolicy } = document;
    if (APPLE_PAY === 'off' || !featurePolicy) return false;
    return APPLE_PAY === 'page'
      ? featurePolicy.allowsFeature('payment')
      : form !== null && featurePolicy.allowsFeature('payment', form.origin);
  }

  /** [documented] A session of Apple Pay JS with `begin`, `abort` and `oncancel`; its token goes to the callbacks. */
  function simulatedSession({ total }) {
    const sheet = document.createElement('dialog');
    sheet.setAttribute('aria-label', 'Apple Pay (simulated)');
    sheet.dataset.sandbox = 'apple-pay';
    sheet.style.cssText = 'margin: auto; padding: 16px; background: #fff; color: #000';
    const lines = [`Apple Pay (simulated)`, total.label, `$${total.amount}`];
    for (const text of lines) sheet.append(Object.assign(document.createElement('p'), { textContent: text }));
    const session = {
      oncancel: null,
      begin() {
        // [documented] Apple refuses a session outside a press.
        if (!navigator.userActivation.isActive)
          throw new Error('Must create a new ApplePaySession from a user gesture');
        document.body.append(sheet);
        sheet.showModal();
      },
      abort() {
        if (!sheet.isConnected) throw new Error('The session has ended');
        sheet.remove();
      },
    };
    const press = (label, act) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
      button.style.cssText = 'display: block; width: 100%; margin-top: 8px; padding: 8px; border: 1px solid';
      button.addEventListener('click', () => {
        sheet.remove();
        act();
      });
      sheet.append(button);
    };
    const cancel = () => session.oncancel?.({ type: 'cancel' });
    for (const [label, card] of Object.entries(WALLET_CARDS))
      press(label, () => requestToken({ type: 'get-wallet-token', card, wallet: 'APPLE_PAY' }).catch(() => {}));
    press('Fail', () => reportFailure('Apple Pay could not verify this page'));
    press('Cancel', cancel);
    sheet.addEventListener('cancel', () => {
      sheet.remove();
      cancel();
    });
    return session;
  }

  window.ClearentSDK = {
    initialized: false,

    init(input) {
      if (!input?.baseUrl || !input.pk) {
        console.error('ClearentSDK: baseUrl and pk are required');
        return;
      }
      if (form) this.reset();
      form = mount(readOptions(input));
      if (form?.options.enableGooglePay) offerGooglePay(form);
      this.initialized = form !== null;
    },

    reset() {
      if (!form) return;
      window.removeEventListener('message', form.onMessage);
      form.frame.remove();
      form.googleButton?.remove();
      for (const { reject } of form.waiting.values()) reject(new Error('The payment form was reset'));
      form = null;
      this.initialized = false;
    },

    getPaymentToken() {
      if (!form) throw new Error('ClearentSDK: call init first');
      return requestToken({ type: 'get-token' });
    },

    googlePayAvailable: () => Boolean(form?.googleButton),
    applePayAvailable: () => mayOpenSheet(),

    buildApplePaySession(sheet) {
      if (!form) throw new Error('ClearentSDK: call init first');
      const { label, amount, type } = sheet?.total ?? {};
      if (!label || !/^\d+\.\d\d$/.test(amount) || type !== 'final')
        throw new Error('ClearentSDK: total needs a label, an amount and a type');
      return simulatedSession(sheet);
    },
  };
})();
