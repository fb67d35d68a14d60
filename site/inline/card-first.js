// Opens the provider's card form while the page's own script is still on its way; card-sdk.ts takes it over.
{
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const { state, sdk, parts } = read('pay-view');
  if (state === 'ready') {
    const { title, options } = read('card-options');
    const script = document.createElement('script');
    const early = { script, said: {} };
    window.tillwayCard = early;
    // What is said before anybody listens is kept.
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
          // A part is paid by card alone.
          window[sdk.scriptObject].init({
            ...options,
            ...(parts && { enableAch: false }),
            baseUrl: sdk.baseUrl,
            pk: sdk.publicKey,
          });
          const frame = document.querySelector('#payment-form iframe');
          if (frame) frame.title = title;
          resolve(true);
        } catch {
          // Another script: the form says that it could not be loaded.
          resolve(false);
        }
      };
    });
    script.src = sdk.scriptUrl;
    document.head.append(script);
  }
}
