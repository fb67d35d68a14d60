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
    const mounted = {
      options,
      origin,
      frame,
      waiting: new Map(),
      next: 1,
      onMessage: null,
      ready: null,
      setReady: null,
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

  window.ClearentSDK = {
    initialized: false,

    init(input) {
      if (!input?.baseUrl || !input.pk) {
        console.error('ClearentSDK: baseUrl and pk are required');
        return;
      }
      if (form) this.reset();
      form = mount(readOptions(input));
      this.initialized = form !== null;
    },

    reset() {
      if (!form) return;
      window.removeEventListener('message', form.onMessage);
      form.frame.remove();
      for (const { reject } of form.waiting.values()) reject(new Error('The payment form was reset'));
      form = null;
      this.initialized = false;
    },

    getPaymentToken() {
      if (!form) throw new Error('ClearentSDK: call init first');
      const current = form;
      return new Promise((resolve, reject) => {
        const id = current.next++;
        current.waiting.set(id, { resolve, reject });
        current.ready.then(() => post(current, { type: 'get-token', id }));
      });
    },

    googlePayAvailable: () => false,
    applePayAvailable: () => false,
  };
})();
