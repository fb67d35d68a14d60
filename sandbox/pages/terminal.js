/** Updates the device's display, keeping the chosen card and the focus. */
const refresh = async () => {
  try {
    const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const [old, next] = [document, fresh].map((page) => page.querySelector('[data-display]'));
    if (!old || !next) return;
    const status = (part) => part.querySelector('[role=status]');
    if (status(old).innerHTML !== status(next).innerHTML) status(old).replaceChildren(...status(next).childNodes);
    const buttons = (part) => part.querySelector('.actions');
    if (buttons(old).innerHTML === buttons(next).innerHTML) return;
    const focused = document.activeElement?.value;
    buttons(old).replaceChildren(...buttons(next).childNodes);
    buttons(old).querySelector(`[value="${focused}"]`)?.focus();
  } catch {
    // The sandbox is restarting; the next fetch finds it again.
  }
};
setInterval(refresh, 1000);
