import { partners } from '#shared/partners';

/** The result of one check of the installation: one line, and the remedy if it failed. */
export type Finding = { label: string; state: 'ok' | 'missing' | 'account' | 'wrong' | 'not-checked'; detail: string };
export type State = Finding['state'];

export const ok = (label: string, detail = ''): Finding => ({ label, state: 'ok', detail });
export const missing = (label: string, detail: string): Finding => ({ label, state: 'missing', detail });
export const wrong = (label: string, detail: string): Finding => ({ label, state: 'wrong', detail });
export const notChecked = (label: string, detail: string): Finding => ({ label, state: 'not-checked', detail });
/** A value that only the external account `account` provides. All other missing values can be generated here. */
export const needsAccount = (label: string, account: string, detail: string): Finding => ({
  label,
  state: 'account',
  detail: `needs ${account}; ${detail}`,
});

/** True if the finding requires action. */
export const isToDo = ({ state }: Finding): boolean => state === 'missing' || state === 'account' || state === 'wrong';

export const CLOUDFLARE = 'a Cloudflare account';
export const HUBSPOT = 'a HubSpot developer account';
export const CARD_PROVIDER = `a ${partners.cards} partner account`;
export const MAIL = 'an account at the mail service';

/** Sources of settings that cannot be generated: the account, and the place in it. */
const FROM_ACCOUNTS: Record<string, [account: string, place: string]> = {
  'database.id': [CLOUDFLARE, 'npx wrangler d1 create prints it (step 2)'],
  DEPLOY_HOOK_URL: [CLOUDFLARE, 'without it nothing builds the site after a publication; make a deploy hook (step 6)'],
  HUBSPOT_CLIENT_ID: [HUBSPOT, 'it is on the app’s Auth page (step 4)'],
  HUBSPOT_CLIENT_SECRET: [HUBSPOT, 'it is on the app’s Auth page (step 4)'],
  BOARDING_ACCESS_KEY: [CARD_PROVIDER, 'its access key (step 4)'],
  BOARDING_NODE_KEY: [CARD_PROVIDER, 'its hierarchy node key (step 4)'],
  MAIL_API_KEY: [MAIL, 'a separate key for this environment (step 4)'],
  MAIL_WEBHOOK_SECRET: [MAIL, 'without it, bounced mails go unnoticed; the webhook’s signing secret (step 4)'],
};
/** Settings that have a value in the example. */
const HOSTS = /_BASE(_URL)?$|^GATEWAY_SANDBOX$/;
const KEY_RINGS = ['TOKEN_KEYS', 'SESSION_KEYS', 'CAPABILITY_KEYS'];
const OWN_ADDRESSES = ['APP_URL', 'MAIL_FROM'];

/** The remedy for a setting without a value: the account that provides it, or how to generate it. */
export function emptySetting(name: string): Finding {
  const [account, place] = FROM_ACCOUNTS[name] ?? [];
  if (account && place) return needsAccount(name, account, place);
  if (HOSTS.test(name)) return missing(name, 'was left empty; the example has the value');
  if (OWN_ADDRESSES.includes(name)) return missing(name, 'was left empty; it is on your own domain (step 3)');
  const line = KEY_RINGS.includes(name) ? 'first' : 'second';
  return missing(name, `was left empty; generate it with the ${line} line of step 3`);
}
