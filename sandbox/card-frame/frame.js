/** Simulates the provider's card frame. Card and bank data go from here to the gateway and nowhere else. */

const byId = (id) => document.getElementById(id);
const digitsOf = (text) => text.replace(/\D/g, '');
const dots = (count) => '•'.repeat(Math.max(0, count));

/** Set by the first `init`, which only the page around this frame can send. */
let host = null;
let options = {};
let method = 'card';

const isAmex = () => /^3[47]/.test(fields.card.value);

function passesLuhn(digits) {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function isPast(monthYear) {
  const month = Number(monthYear.slice(0, 2));
  if (month < 1 || month > 12) return true;
  return new Date(2000 + Number(monthYear.slice(2)), month, 1) <= new Date();
}

function isRoutingNumber(digits) {
  const weights = [3, 7, 1];
  return (
    digits.length === 9 &&
    [...digits].reduce((sum, digit, index) => sum + Number(digit) * weights[index % 3], 0) % 10 === 0
  );
}

/** `value` is sent. The input shows it formatted, or masked after the person has left the field. */
const fields = {
  card: {
    id: 'card',
    method: 'card',
    value: '',
    clean: (text) => digitsOf(text).slice(0, 19),
    format: (value) => (options.cardFormatted ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value),
    mask: (value) => (options.cardMasked ? `${dots(value.length - 4)}${value.slice(-4)}` : null),
    check(value) {
      if (value === '') return 'Enter the card number';
      return value.length >= 13 && passesLuhn(value) ? '' : 'Card number is not valid';
    },
  },
  'exp-date': {
    id: 'exp-date',
    method: 'card',
    value: '',
    clean(text) {
      const digits = digitsOf(text);
      // Browsers fill in "12/2029", which means 12/29.
      return digits.length === 6 && digits.slice(2, 4) === '20'
        ? digits.slice(0, 2) + digits.slice(4)
        : digits.slice(0, 4);
    },
    format: (value) =>
      options.expDateFormatted && value.length > 2 ? `${value.slice(0, 2)}/${value.slice(2)}` : value,
    mask: (value) => (options.expDateMasked ? dots(value.length) : null),
    check(value) {
      if (value === '') return 'Enter the expiration date';
      if (value.length !== 4) return 'Expiration is month and year, MMYY';
      return isPast(value) ? 'Expiration date is in the past' : '';
    },
  },
  csc: {
    id: 'csc',
    method: 'card',
    value: '',
    clean: (text) => digitsOf(text).slice(0, 4),
    format: (value) => value,
    mask: (value) => (options.cvcMasked ? dots(value.length) : null),
    check(value) {
      if (value === '') return options.cvcRequired ? 'Enter the security code' : '';
      return value.length === (isAmex() ? 4 : 3) ? '' : `Security code has ${isAmex() ? 4 : 3} digits`;
    },
  },
  'routing-number': {
    id: 'routing-number',
    method: 'ach',
    value: '',
    clean: (text) => digitsOf(text).slice(0, 9),
    format: (value) => value,
    mask: (value) => (options.routingNumberMasked ? `${dots(value.length - 4)}${value.slice(-4)}` : null),
    check: (value) =>
      value === '' ? 'Enter the routing number' : isRoutingNumber(value) ? '' : 'Routing number is not valid',
  },
  'account-number': {
    id: 'account-number',
    method: 'ach',
    value: '',
    clean: (text) => digitsOf(text).slice(0, 17),
    format: (value) => value,
    mask: (value) => (options.accountNumberMasked ? `${dots(value.length - 4)}${value.slice(-4)}` : null),
    check: (value) =>
      value === '' ? 'Enter the account number' : value.length >= 4 ? '' : 'Account number is not valid',
  },
  'account-type': {
    id: 'account-type',
    method: 'ach',
    value: '',
    clean: (text) => text,
    format: (value) => value,
    mask: () => null,
    check: (value) => (value === '' ? 'Choose the account type' : ''),
  },
  'individual-name': {
    id: 'individual-name',
    method: 'ach',
    value: '',
    clean: (text) => text,
    format: (value) => value,
    mask: () => null,
    check: (value) => (value.trim() === '' ? 'Enter the name on the account' : ''),
  },
};

const touched = new Set();
const fieldsInUse = () => Object.values(fields).filter((field) => field.method === method);

function postToHost(message) {
  if (host) window.parent.postMessage({ clearent: message }, host);
}

function showError(field, text) {
  const input = byId(field.id);
  if (text) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  byId(`${field.id}-error`).textContent = options.showValidationMessages ? text : '';
}

/** Checks every field that the person has left and sends the messages to the page. None means that all are valid. */
function validate() {
  const messages = [];
  for (const field of fieldsInUse()) {
    if (!touched.has(field.id)) continue;
    const text = field.check(field.value);
    showError(field, text);
    if (text) messages.push(text);
  }
  postToHost({ type: 'validation', messages });
  return messages;
}

function listen(field) {
  const input = byId(field.id);
  const isSelect = input.tagName === 'SELECT';
  input.addEventListener('focus', () => {
    if (!isSelect) input.value = field.format(field.value);
  });
  input.addEventListener('input', () => {
    field.value = field.clean(input.value);
    const formatted = field.format(field.value);
    const isAtEnd = input.selectionStart === input.value.length;
    // Rewriting while the person types in the middle would move the caret.
    if (!isSelect && isAtEnd && input.value !== formatted) input.value = formatted;
    if (input.getAttribute('aria-invalid') && field.check(field.value) === '') showError(field, '');
  });
  input.addEventListener('blur', () => {
    const mask = field.mask(field.value);
    if (!isSelect) input.value = mask !== null && field.value !== '' ? mask : field.format(field.value);
    if (field.value !== '' || touched.has(field.id)) {
      touched.add(field.id);
      validate();
    }
  });
}

function selectMethod(next, shouldFocus) {
  for (const name of ['card', 'ach']) {
    const tab = byId(`tab-${name}`);
    tab.setAttribute('aria-selected', String(name === next));
    tab.tabIndex = name === next ? 0 : -1;
    byId(`panel-${name}`).hidden = name !== next;
  }
  if (shouldFocus) byId(`tab-${next}`).focus();
  if (next === method) return;
  method = next;
  touched.clear();
  for (const field of fieldsInUse()) showError(field, '');
  postToHost({ type: 'payment-type', value: next });
  postToHost({ type: 'validation', messages: [] });
}

function clear() {
  touched.clear();
  for (const field of Object.values(fields)) {
    field.value = '';
    byId(field.id).value = '';
    showError(field, '');
  }
}

/** The gateway's refusal envelope, for errors that never reach the gateway. */
const refusal = (message) => ({
  code: '400',
  status: 'fail',
  'exchange-id': `ID-clearent-mobile-jwt-${crypto.randomUUID()}`,
  payload: {
    payloadType: 'error',
    error: {
      'error-message': message,
      'result-code': 'mobile-jwt-validation-error',
      'time-stamp': new Date().toISOString(),
    },
  },
});

async function getToken(id) {
  if (!areValid(id)) return;
  byId('announcer').textContent = '';
  const body = {};
  for (const field of fieldsInUse()) if (field.value !== '') body[field.id] = field.value;
  if ((await requestToken(id, method === 'card' ? 'manual' : 'ach', body)) && options.clearFormOnSuccess) clear();
}

/** True if all fields are valid. Otherwise the token request `id` is refused. */
function areValid(id) {
  for (const field of fieldsInUse()) touched.add(field.id);
  const messages = validate();
  if (messages.length > 0) {
    byId('announcer').textContent = messages.join('. ');
    const value = refusal(messages.join('. '));
    postToHost({
      type: 'token',
      id,
      outcome: document.body.dataset.invalidFields === 'pending' ? 'pending' : 'invalid',
      raw: JSON.stringify(value),
      value,
    });
  }
  return messages.length === 0;
}

/** Requests a token and reports it to the page. Resolves to true if there is one. */
async function requestToken(id, kind, fieldValues) {
  const body = { 'software-type': 'js-sdk', 'software-type-version': '1.0', ...fieldValues };
  try {
    const response = await fetch(`/rest/v2/mobilejwt/${kind}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'public-key': options.pk },
      body: JSON.stringify(body),
    });
    const raw = await response.text();
    const value = JSON.parse(raw);
    const isSuccess = response.ok && value.status === 'success';
    postToHost({ type: 'token', id, outcome: isSuccess ? 'success' : 'error', raw, value });
    return isSuccess;
  } catch (cause) {
    postToHost({ type: 'token', id, outcome: 'error', raw: String(cause), value: null });
    return false;
  }
}

const PLACEHOLDERS = {
  card: 'cardPlaceholder',
  'exp-date': 'expDatePlaceholder',
  csc: 'cvcPlaceholder',
  'routing-number': 'routingNumberPlaceholder',
  'account-number': 'accountNumberPlaceholder',
  'individual-name': 'individualNamePlaceholder',
};

function start(newOptions) {
  options = newOptions;
  document.querySelector('[role=tablist]').hidden = !options.enableAch;
  for (const [id, option] of Object.entries(PLACEHOLDERS)) byId(id).placeholder = options[option] ?? '';
  if (options.accountTypePlaceholder) byId('account-type').options[0].textContent = options.accountTypePlaceholder;
  if (!options.allowAutoComplete) for (const input of document.querySelectorAll('input')) input.autocomplete = 'off';
  byId('csc').setAttribute('aria-required', String(Boolean(options.cvcRequired)));
  if (options.styles) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(options.styles);
    document.adoptedStyleSheets = [sheet];
  }
  const main = document.querySelector('main');
  new ResizeObserver(() => postToHost({ type: 'height', height: main.getBoundingClientRect().height })).observe(main);
  postToHost({ type: 'ready' });
}

window.addEventListener('message', (event) => {
  const message = event.data?.clearent;
  if (!message || event.source !== window.parent || window.parent === window) return;
  if (host !== null && event.origin !== host) return;
  if (message.type === 'init' && host === null) {
    host = event.origin;
    start(message.options);
  }
  if (message.type === 'get-token' && host !== null) getToken(message.id);
  // A card of a wallet's sheet, which does not come from the fields.
  if (message.type === 'get-wallet-token' && host !== null)
    requestToken(message.id, 'manual', { card: message.card, 'exp-date': '1239', wallet: message.wallet });
});

// When the page focuses the frame, focus the first field.
window.addEventListener('focus', () => {
  if (document.activeElement !== document.body) return;
  const first = fieldsInUse().find((field) => field.check(field.value) !== '') ?? fieldsInUse()[0];
  byId(first.id).focus();
});

for (const field of Object.values(fields)) listen(field);
for (const form of document.forms) form.addEventListener('submit', (event) => event.preventDefault());
for (const name of ['card', 'ach']) {
  const tab = byId(`tab-${name}`);
  tab.addEventListener('click', () => selectMethod(name, false));
  tab.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') selectMethod(name === 'card' ? 'ach' : 'card', true);
  });
}

// Show the fields last, because earlier input would be lost.
document.querySelector('main').hidden = false;
