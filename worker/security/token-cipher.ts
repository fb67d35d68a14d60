/**
 * Encrypts secrets at rest with AES-256-GCM and a random 96-bit IV, bound to their row. The format is
 * `keyId.iv.ciphertext`, so a new key can encrypt while old ones still decrypt.
 */
export type Sealer = {
  /** The ids of the key ring. The newest key seals, and the older keys can still open. */
  keys: { newest: string; older: string[] };
  seal(plain: string, boundTo: string): Promise<string>;
  /** Throws if the key is unknown, the text was changed, or it belongs to another row. */
  open(sealed: string, boundTo: string): Promise<string>;
};

/** The ids of a key ring, the newest first. */
export const keyIds = (keyRing: string): string[] => keyRing.split(',').map((pair) => pair.slice(0, pair.indexOf(':')));

export function createSealer(keyRing: string): Sealer {
  const keys = new Map<string, Promise<CryptoKey>>();
  for (const pair of keyRing.split(',')) {
    const [id = '', secret = ''] = pair.split(':');
    keys.set(id, crypto.subtle.importKey('raw', fromBase64(secret), 'AES-GCM', false, ['encrypt', 'decrypt']));
  }
  const [newest = '', ...older] = keyIds(keyRing);
  const params = (iv: Uint8Array<ArrayBuffer>, boundTo: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(boundTo),
  });
  const keyOf = (id: string) => {
    const key = keys.get(id);
    if (!key) throw new Error('a secret is sealed with a key that is not in TOKEN_KEYS');
    return key;
  };
  return {
    keys: { newest, older },
    async seal(plain, boundTo) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        params(iv, boundTo),
        await keyOf(newest),
        new TextEncoder().encode(plain),
      );
      return `${newest}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`;
    },
    async open(sealed, boundTo) {
      const [id = '', iv = '', text = ''] = sealed.split('.');
      const plain = await crypto.subtle.decrypt(params(fromBase64(iv), boundTo), await keyOf(id), fromBase64(text));
      return new TextDecoder().decode(plain);
    },
  };
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** The table, row and column to which each secret is bound. */
export const boundTo = {
  apiKey: (accountId: number, terminalId: string) => `terminals/${accountId}/${terminalId}/api_key`,
  accessToken: (accountId: number) => `crm_tokens/${accountId}/access_token`,
  refreshToken: (accountId: number) => `crm_tokens/${accountId}/refresh_token`,
  mail: (mailId: string) => `outbox/${mailId}/details`,
};
