import type { Deps } from '#worker/deps';

/** Eight digits for a mail, each as likely as any other. */
export async function newMailedCode({ sha256, newSecret }: Pick<Deps, 'sha256' | 'newSecret'>): Promise<string> {
  const digits = BigInt(`0x${await sha256(newSecret())}`) % 100_000_000n;
  return String(digits).padStart(8, '0');
}
