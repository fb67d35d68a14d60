import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createElement } from 'react';
import { vi } from 'vitest';
import type { MailingReply } from '#shared/contracts/payments/pay-links';
import type { Reminders } from '#shared/contracts/payments/reminders';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import type { AppView } from '#shared/contracts/staff/session';
import { staffRights } from '#shared/contracts/staff/team-values';
import { APP_VIEW_ID } from '#site/islands/merchant/common/app-view.ts';
import { answerByDefault } from './calls.ts';

/** The view data that the Worker sends for an administrator of a clinic with two card readers. */
const VIEW: AppView = {
  gate: 'shell',
  data: {
    merchant: { merchant_name: 'Maple Street Dental', signup_url: '', status: 'boarded' },
    devices: [
      { terminal_id: 'front-1', terminal_name: 'Front desk 1' },
      { terminal_id: 'front-2', terminal_name: 'Front desk 2' },
    ],
    logs: [],
  },
  person: { name: 'Dana Whitfield', email: 'dana@maple.example', role: 'admin' },
  support: { phone: '317-555-0199', email: 'help@tillway.example' },
  may: [...staffRights],
  colleagues: [{ name: 'Grace Lindqvist', role: 'admin' }],
  isNew: false,
  timeZone: 'America/Indiana/Indianapolis',
};

/** Responses to the requests that the shell and the dashboard send in every view. */
const SHELL_REPLIES = {
  '/api/counter-terminals': { desks: [] } satisfies TerminalsReply,
  '/api/customers': { data: { results: [] } },
  '/api/reminders': { is_on: false, steps: [], sample: null } satisfies Reminders,
  '/api/mailings': { mailing: null } satisfies MailingReply,
};

/** A token without an expiry time, so that no test starts by renewing it. */
const TOKEN = 'e30.e30.s';

/** Opens the merchant app at an address, like a fresh page load; returns the simulated user. */
export async function openApp(address: string, view: Partial<AppView> = {}) {
  // A fresh page load keeps no state.
  cleanup();
  vi.resetModules();
  const { MerchantApp } = await import('#site/islands/merchant/shell/MerchantApp.tsx');
  answerByDefault('/app_url', { appUrl: window.location.origin });
  for (const [path, json] of Object.entries(SHELL_REPLIES)) answerByDefault(path, json);
  // biome-ignore lint/suspicious/noDocumentCookie: the Worker sets it in the answer with the page
  document.cookie = `authToken=${TOKEN}`;
  window.history.replaceState(null, '', address);
  const container = document.createElement('div');
  document.body.replaceChildren(appView({ ...VIEW, ...view }), container);
  const user = userEvent.setup();
  render(createElement(MerchantApp), { container });
  return user;
}

function appView(view: AppView): HTMLElement {
  const script = document.createElement('script');
  script.id = APP_VIEW_ID;
  script.type = 'application/json';
  script.textContent = JSON.stringify(view);
  return script;
}
