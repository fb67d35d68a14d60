import inventory from '../../docs/script-inventory.json' with { type: 'json' };

export type Inventory = {
  scripts: { url: string }[];
  inline: { hash: string }[];
  headers: Record<string, string>;
};

/** The list of docs/script-inventory.json: what may run on the pay page, and the headers that guard it. */
export const scriptInventory: Inventory = inventory;

/** The name of the provider's script there. */
export const PROVIDER_SCRIPT = '{provider}/js-sdk/js/clearent-host.js';

/** Origins, without a trailing slash. */
export type Origins = { app: string; provider: string };

/**
 * The name of an address in the inventory: builds change the hash in a file name, settings change the origins. What comes
 * after a question mark is left out.
 */
export function inventoryName(address: string, { app, provider }: Origins): string {
  const [plain = ''] = address.split(/[?#]/);
  const isUnder = (origin: string) => plain === origin || plain.startsWith(`${origin}/`);
  if (isUnder(app)) return plain.slice(app.length).replace(/\.[\w-]{8}\.js$/, '.*.js');
  return isUnder(provider) ? `{provider}${plain.slice(provider.length)}` : plain;
}

/** Of a script's text as a content policy names it, from the hexadecimal digits of its SHA-256. */
export function inlineHash(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
