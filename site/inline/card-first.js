{
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const { state, sdk, cardOnly } = read('pay-view');
  if (state === 'ready') {
    const { title, options, dark } = read('card-options');
    if (matchMedia('(prefers-color-scheme: dark)').matches) options.styles = dark;
    const script = document.createElement('script');
    const early = { script, said: {} };
    window.tillwayCard = early;
    for (const [name, handler] of Object.entries(options)) {
      if (!name.endsWith('Callback')) continue;
      window[handler] = (value) => {
        early.said[handler] = value;
        early.hear?.[handler]?.(value);
      };
    }
    early.opened = new Promise((resolve) => {
      script.onerror = () => resolve(false);
      script.onload = () => {
        try {
          if (early.isGone) return;
          window[sdk.scriptObject].init({
            ...options,
            ...sdk.googlePay,
            ...(cardOnly && { enableAch: false }),
            baseUrl: sdk.baseUrl,
            pk: sdk.publicKey,
          });
          const frame = document.querySelector('#payment-form iframe');
          if (frame) frame.title = title;
          resolve(true);
        } catch {
          resolve(false);
        }
      };
    });
    script.src = sdk.scriptUrl;
    document.head.append(script);
  }
}
