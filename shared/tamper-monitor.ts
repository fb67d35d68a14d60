import inventory from '../docs/script-inventory.json' with { type: 'json' };
import type { MonitorFinding, Seen } from './contracts/operators/monitor.ts';
import { monitorLimits } from './limits.ts';
import { GOOGLE_PAY_ORIGIN, GOOGLE_PAY_SCRIPT, paymentOrigins } from './wallet-origins.ts';

export type Inventory = {
  scripts: { url: string }[];
  inline: { hash: string }[];
  headers: Record<string, string>;
};

/** docs/script-inventory.json: the scripts allowed on the pay page, and its security headers. */
export const scriptInventory: Inventory = inventory;

/** The name of the provider's script in the inventory. */
export const PROVIDER_SCRIPT = '{provider}/js-sdk/js/clearent-host.js';

/** Third-party scripts, by inventory name. Their URLs have no version, so a person approves each version. */
export const FOREIGN_SCRIPTS: readonly string[] = [PROVIDER_SCRIPT, GOOGLE_PAY_SCRIPT];

/** Origins, without a trailing slash. */
export type Origins = { app: string; provider: string };

/**
 * Returns the inventory name of a URL: without the query, without the hash in the file name (it changes with builds),
 * and with placeholders for the origins (they depend on settings).
 */
export function inventoryName(address: string, { app, provider }: Origins): string {
  const [plain = ''] = address.split(/[?#]/);
  const isUnder = (origin: string) => plain === origin || plain.startsWith(`${origin}/`);
  if (isUnder(app)) return plain.slice(app.length).replace(/\.[\w-]{8}\.js$/, '.*.js');
  return isUnder(provider) ? `{provider}${plain.slice(provider.length)}` : plain;
}

/** Converts the hexadecimal SHA-256 of a script to the format of a content security policy. */
export function inlineHash(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

/** Expected values of a check: inventory, approved hashes of third-party scripts, hashes of our own files. */
export type Expected = {
  inventory: Inventory;
  origins: Origins;
  approved: ReadonlySet<string>;
  /** SHA-256 (hexadecimal) by inventory name. Null if unknown; own files are then not compared. */
  files: Readonly<Record<string, string>> | null;
  /** True if the check follows every import, so that it can report any listed script as missing. */
  isWhole: boolean;
};

const shorten = (text: string) => text.slice(0, monitorLimits.text);
const finding = (kind: MonitorFinding['kind'], subject: string, expected: string, seen: string): MonitorFinding => ({
  kind,
  subject: shorten(subject),
  expected: shorten(expected),
  seen: shorten(seen),
});

/** Returns the distinct differences between the pay page and the expected values. */
export function compare(seen: Seen, expected: Expected): MonitorFinding[] {
  const { app, provider } = expected.origins;
  const foreign = [provider, ...(acceptsGooglePay(seen, provider) ? [GOOGLE_PAY_ORIGIN] : [])];
  const all = [
    ...scripts(seen, expected),
    ...inlineScripts(seen, expected),
    ...headers(seen, expected, foreign),
    ...origins('frame-not-listed', seen.frames, foreign),
    ...origins('connection-not-listed', seen.connections, [app, ...foreign]),
  ];
  return [...new Map(all.map((item) => [`${item.kind} ${item.subject} ${item.seen}`, item])).values()];
}

const policyFor = (text: string, provider: string, accepted: Parameters<typeof paymentOrigins>[1]) =>
  text.replace('payment=()', `payment=(${paymentOrigins(provider, accepted)})`);

/** True if a page permits Google's payment sheet, which means that the business accepts Google Pay. */
const acceptsGooglePay = ({ headers }: Seen, provider: string): boolean =>
  headers['permissions-policy']?.includes(`payment=(${paymentOrigins(provider, { googlePay: true })})`) === true;

function scripts({ scripts: loaded }: Seen, { inventory, approved, files, isWhole }: Expected): MonitorFinding[] {
  const listed = inventory.scripts.map(({ url }) => url);
  const names = new Set(loaded.map(({ name }) => name));
  // Every pay page needs the provider's script; only some load Google's.
  const required = isWhole ? listed.filter((name) => name !== GOOGLE_PAY_SCRIPT) : [PROVIDER_SCRIPT];
  return [
    ...loaded.flatMap((script) => {
      const { name, sha256, bytes } = script;
      if (!listed.includes(name)) return finding('script-not-listed', name, 'no such script', sha256 ?? 'not loaded');
      if (FOREIGN_SCRIPTS.includes(name)) return foreignScript(script, approved);
      const deployed = files?.[name];
      if (files === null || deployed === sha256) return [];
      return finding('file-differs', name, deployed ?? 'no such file', `${sha256 ?? 'nothing'} (${bytes} bytes)`);
    }),
    ...required
      .filter((name) => !names.has(name))
      .map((name) => finding('script-missing', name, 'this script', 'it is not on the page')),
  ];
}

function foreignScript({ name, status, type, sha256 }: Seen['scripts'][number], approved: ReadonlySet<string>) {
  if (status !== 200 || !/javascript/i.test(type) || sha256 === null)
    return finding('script-unreadable', name, 'status 200, JavaScript', `status ${status}, ${type || 'no type'}`);
  if (approved.has(sha256)) return [];
  return finding('script-changed', name, [...approved][0] ?? 'no version is approved yet', sha256);
}

function inlineScripts({ inline }: Seen, { inventory, isWhole }: Expected): MonitorFinding[] {
  const listed = inventory.inline.map(({ hash }) => hash);
  return [
    ...inline
      .filter((hash) => !listed.includes(hash))
      .map((hash) => finding('script-not-listed', hash, 'no such inline script', 'it is on the page')),
    ...listed
      .filter((hash) => isWhole && !inline.includes(hash))
      .map((hash) => finding('script-missing', hash, 'this inline script', 'it is not on the page')),
  ];
}

function headers(
  seen: Seen,
  { inventory, origins: { provider } }: Expected,
  foreign: readonly string[],
): MonitorFinding[] {
  const fill = (text: string) =>
    text
      .replaceAll('{provider}', foreign.join(' '))
      .replace('{inline}', inventory.inline.map(({ hash }) => `'${hash}'`).join(' '));
  return Object.entries(inventory.headers).flatMap(([name, template]) => {
    const [expected, actual] = [fill(template), seen.headers[name]];
    if (actual === undefined) return finding('header-missing', name, expected, 'no such header');
    if (name === 'content-security-policy') return policy(expected, actual);
    // Where the business accepts a wallet, the page and the provider's frame may open its sheet.
    const withWallet = ([{ applePay: true }, { googlePay: true }] as const).map((wallet) =>
      policyFor(expected, provider, wallet),
    );
    return [expected, ...withWallet].includes(actual) ? [] : finding('header-differs', name, expected, actual);
  });
}

/** Returns the sources of each directive in order. Style hashes are omitted because builds change them. */
function directivesOf(policyText: string): Map<string, string> {
  const parts = policyText.split(';').map((part) => part.trim().split(/\s+/));
  return new Map(
    parts.map(([name = '', ...sources]) => {
      const relevant = name === 'style-src' ? sources.filter((source) => !/^'sha256-/.test(source)) : sources;
      return [name, relevant.sort().join(' ')];
    }),
  );
}

function policy(expectedText: string, actualText: string): MonitorFinding[] {
  // Two policies in one header are joined by a comma.
  const [expectedDirectives, actualDirectives] = [directivesOf(expectedText), directivesOf(actualText)];
  return [...new Set([...expectedDirectives.keys(), ...actualDirectives.keys()])].flatMap((name) => {
    const [expected, seen] = [expectedDirectives.get(name), actualDirectives.get(name)];
    if (expected === seen) return [];
    const subject = `content-security-policy ${name}`;
    return finding('header-differs', subject, expected ?? 'no such directive', seen ?? 'no such directive');
  });
}

function origins(kind: 'frame-not-listed' | 'connection-not-listed', used: string[], allowed: string[]) {
  const isAllowed = (address: string) =>
    allowed.some((origin) => address === origin || address.startsWith(`${origin}/`));
  return used
    .filter((address) => !isAllowed(address))
    .map((address) => finding(kind, address, allowed.join(', '), 'it is used'));
}

/** Formats a finding as one line of text. */
export const lineOf = ({ kind, subject, expected, seen }: MonitorFinding): string =>
  `${kind} ${subject}: expected ${expected}; seen ${seen}`;
