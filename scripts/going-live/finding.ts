/** The result of one check of the installation: one line, and the remedy if it failed. */
export type Finding = { what: string; state: 'ok' | 'missing' | 'account' | 'wrong' | 'not-checked'; say: string };
export type State = Finding['state'];

export const ok = (what: string, say = ''): Finding => ({ what, state: 'ok', say });
export const missing = (what: string, say: string): Finding => ({ what, state: 'missing', say });
export const wrong = (what: string, say: string): Finding => ({ what, state: 'wrong', say });
export const notChecked = (what: string, say: string): Finding => ({ what, state: 'not-checked', say });
/** A value that only the external account `account` provides. All other missing values can be generated here. */
export const needsAccount = (what: string, account: string, say: string): Finding => ({
  what,
  state: 'account',
  say: `needs ${account}; ${say}`,
});

/** True if the finding requires action. */
export const isToDo = ({ state }: Finding): boolean => state === 'missing' || state === 'account' || state === 'wrong';

export const CLOUDFLARE = 'a Cloudflare account';
export const HUBSPOT = 'a HubSpot developer account';
export const CLEARENT = 'a Clearent partner account';
export const MAIL = 'an account at the mail service';

/** Sources of settings that cannot be generated: the account, and the place in it. */
const FROM_ACCOUNTS: Record<string, [account: string, place: string]> = {
  'database.id': [CLOUDFLARE, 'npx wrangler d1 create prints it (step 2)'],
  DEPLOY_HOOK_URL: [CLOUDFLARE, 'without it nothing builds the site after a publication; make a deploy hook (step 6)'],
  HUBSPOT_CLIENT_ID: [HUBSPOT, 'it stands on the app’s Auth page (step 4)'],
  HUBSPOT_CLIENT_SECRET: [HUBSPOT, 'it stands on the app’s Auth page (step 4)'],
  BOARDING_ACCESS_KEY: [CLEARENT, 'its access key (step 4)'],
  BOARDING_NODE_KEY: [CLEARENT, 'its hierarchy node key (step 4)'],
  MAIL_API_KEY: [MAIL, 'a key of its own for this environment (step 4)'],
  MAIL_WEBHOOK_SECRET: [MAIL, 'without it nobody learns that a mail came back; the webhook’s signing secret (step 4)'],
};
/** Settings that have a value in the example. */
const HOSTS = /_BASE(_URL)?$|^GATEWAY_SANDBOX$/;
const KEY_RINGS = ['TOKEN_KEYS', 'SESSION_KEYS', 'CAPABILITY_KEYS'];
const OWN_WORDS = ['APP_URL', 'MAIL_FROM'];

/** The remedy for a setting without a value: the account that provides it, or how to generate it. */
export function emptySetting(name: string): Finding {
  const [account, place] = FROM_ACCOUNTS[name] ?? [];
  if (account && place) return needsAccount(name, account, place);
  if (HOSTS.test(name)) return missing(name, 'was left empty; the example has the value');
  if (OWN_WORDS.includes(name)) return missing(name, 'was left empty; it is on a domain of yours (step 3)');
  const line = KEY_RINGS.includes(name) ? 'first' : 'second';
  return missing(name, `was left empty; make it with the ${line} line of step 3`);
}
