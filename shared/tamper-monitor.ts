import inventory from '../docs/script-inventory.json' with { type: 'json' };
import type { MonitorFinding, ObservedPage } from './contracts/operators/monitor.ts';
import { monitorLimits } from './limits.ts';
import { PROVIDER_SCRIPT_PATH } from './partners.ts';
import { GOOGLE_PAY_ORIGIN, GOOGLE_PAY_SCRIPT, paymentOrigins } from './wallet-origins.ts';

export type Inventory = {
  scripts: { url: string }[];
  inline: { hash: string }[];
  headers: Record<string, string>;
};

/** docs/script-inventory.json: the scripts allowed on the pay page, and its security headers. */
export const scriptInventory: Inventory = inventory;

/** The name of the provider's script in the inventory. */
export const PROVIDER_SCRIPT = `{provider}${PROVIDER_SCRIPT_PATH}`;

/** Third-party scripts, by inventory name. Their URLs have no version, so a person approves each version. */
export const THIRD_PARTY_SCRIPTS: readonly string[] = [PROVIDER_SCRIPT, GOOGLE_PAY_SCRIPT];

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
export type ExpectedPage = {
  inventory: Inventory;
  origins: Origins;
  approved: ReadonlySet<string>;
  /** SHA-256 (hexadecimal) by inventory name. Null if unknown; own files are then not compared. */
  files: Readonly<Record<string, string>> | null;
  /** True if the check follows every import, so that it can report any listed script as missing. */
  followsImports: boolean;
};

const shorten = (text: string) => text.slice(0, monitorLimits.text);
const createFinding = (
  kind: MonitorFinding['kind'],
  subject: string,
  expected: string,
  seen: string,
): MonitorFinding => ({
  kind,
  subject: shorten(subject),
  expected: shorten(expected),
  seen: shorten(seen),
});

/** Returns the distinct differences between the pay page and the expected values. */
export function comparePayPage(observedPage: ObservedPage, expected: ExpectedPage): MonitorFinding[] {
  const { app, provider } = expected.origins;
  const thirdPartyOrigins = [provider, ...(acceptsGooglePay(observedPage, provider) ? [GOOGLE_PAY_ORIGIN] : [])];
  const findings = [
    ...compareScripts(observedPage, expected),
    ...compareInlineScripts(observedPage, expected),
    ...compareHeaders(observedPage, expected, thirdPartyOrigins),
    ...findForbiddenOrigins('frame-not-listed', observedPage.frames, thirdPartyOrigins),
    ...findForbiddenOrigins('connection-not-listed', observedPage.connections, [app, ...thirdPartyOrigins]),
  ];
  return [...new Map(findings.map((item) => [`${item.kind} ${item.subject} ${item.seen}`, item])).values()];
}

const permissionsFor = (text: string, provider: string, acceptedWallets: Parameters<typeof paymentOrigins>[1]) =>
  text.replace('payment=()', `payment=(${paymentOrigins(provider, acceptedWallets)})`);

/** True if a page permits Google's payment sheet, which means that the business accepts Google Pay. */
const acceptsGooglePay = ({ headers }: ObservedPage, provider: string): boolean =>
  headers['permissions-policy']?.includes(`payment=(${paymentOrigins(provider, { googlePay: true })})`) === true;

function compareScripts(
  { scripts: loadedScripts }: ObservedPage,
  { inventory, approved, files, followsImports }: ExpectedPage,
): MonitorFinding[] {
  const listedNames = inventory.scripts.map(({ url }) => url);
  const names = new Set(loadedScripts.map(({ name }) => name));
  // Every pay page needs the provider's script; only some load Google's.
  const requiredNames = followsImports ? listedNames.filter((name) => name !== GOOGLE_PAY_SCRIPT) : [PROVIDER_SCRIPT];
  return [
    ...loadedScripts.flatMap((script) => {
      const { name, sha256, bytes } = script;
      if (!listedNames.includes(name))
        return createFinding('script-not-listed', name, 'no such script', sha256 ?? 'not loaded');
      if (THIRD_PARTY_SCRIPTS.includes(name)) return compareThirdPartyScript(script, approved);
      const deployedHash = files?.[name];
      if (files === null || deployedHash === sha256) return [];
      return createFinding(
        'file-differs',
        name,
        deployedHash ?? 'no such file',
        `${sha256 ?? 'nothing'} (${bytes} bytes)`,
      );
    }),
    ...requiredNames
      .filter((name) => !names.has(name))
      .map((name) => createFinding('script-missing', name, 'this script', 'it is not on the page')),
  ];
}

function compareThirdPartyScript(
  { name, status, type, sha256 }: ObservedPage['scripts'][number],
  approved: ReadonlySet<string>,
) {
  if (status !== 200 || !/javascript/i.test(type) || sha256 === null)
    return createFinding('script-unreadable', name, 'status 200, JavaScript', `status ${status}, ${type || 'no type'}`);
  if (approved.has(sha256)) return [];
  return createFinding('script-changed', name, [...approved][0] ?? 'no version is approved yet', sha256);
}

function compareInlineScripts({ inline }: ObservedPage, { inventory, followsImports }: ExpectedPage): MonitorFinding[] {
  const listedHashes = inventory.inline.map(({ hash }) => hash);
  return [
    ...inline
      .filter((hash) => !listedHashes.includes(hash))
      .map((hash) => createFinding('script-not-listed', hash, 'no such inline script', 'it is on the page')),
    ...listedHashes
      .filter((hash) => followsImports && !inline.includes(hash))
      .map((hash) => createFinding('script-missing', hash, 'this inline script', 'it is not on the page')),
  ];
}

function compareHeaders(
  seen: ObservedPage,
  { inventory, origins: { provider } }: ExpectedPage,
  foreign: readonly string[],
): MonitorFinding[] {
  const fillPlaceholders = (text: string) =>
    text
      .replaceAll('{provider}', foreign.join(' '))
      .replace('{inline}', inventory.inline.map(({ hash }) => `'${hash}'`).join(' '));
  return Object.entries(inventory.headers).flatMap(([name, template]) => {
    const [expected, actual] = [fillPlaceholders(template), seen.headers[name]];
    if (actual === undefined) return createFinding('header-missing', name, expected, 'no such header');
    if (name === 'content-security-policy') return comparePolicies(expected, actual);
    // Where the business accepts a wallet, the page and the provider's frame may open its sheet.
    const withWallet = ([{ applePay: true }, { googlePay: true }] as const).map((wallet) =>
      permissionsFor(expected, provider, wallet),
    );
    return [expected, ...withWallet].includes(actual) ? [] : createFinding('header-differs', name, expected, actual);
  });
}

/** Returns the sources of each directive in order. Style hashes are omitted because builds change them. */
function directivesOf(policyText: string): Map<string, string> {
  const parts = policyText.split(';').map((part) => part.trim().split(/\s+/));
  return new Map(
    parts.map(([name = '', ...sources]) => {
      const relevantSources = name === 'style-src' ? sources.filter((source) => !/^'sha256-/.test(source)) : sources;
      return [name, relevantSources.sort().join(' ')];
    }),
  );
}

function comparePolicies(expectedText: string, actualText: string): MonitorFinding[] {
  // Two policies in one header are joined by a comma.
  const [expectedDirectives, actualDirectives] = [directivesOf(expectedText), directivesOf(actualText)];
  return [...new Set([...expectedDirectives.keys(), ...actualDirectives.keys()])].flatMap((name) => {
    const [expected, seen] = [expectedDirectives.get(name), actualDirectives.get(name)];
    if (expected === seen) return [];
    const subject = `content-security-policy ${name}`;
    return createFinding('header-differs', subject, expected ?? 'no such directive', seen ?? 'no such directive');
  });
}

function findForbiddenOrigins(kind: 'frame-not-listed' | 'connection-not-listed', used: string[], allowed: string[]) {
  const isAllowed = (address: string) =>
    allowed.some((origin) => address === origin || address.startsWith(`${origin}/`));
  return used
    .filter((address) => !isAllowed(address))
    .map((address) => createFinding(kind, address, allowed.join(', '), 'it is used'));
}

/** Formats a finding as one line of text. */
export const formatFinding = ({ kind, subject, expected, seen }: MonitorFinding): string =>
  `${kind} ${subject}: expected ${expected}; seen ${seen}`;
