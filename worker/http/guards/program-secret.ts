import type { Context } from 'hono';
import type { Deps } from '#worker/deps';

/** Whether a program sent this secret as its bearer. A secret that is not set admits none. */
export async function hasSecret(c: Context, { sha256 }: Pick<Deps, 'sha256'>, secret: string): Promise<boolean> {
  const given = /^Bearer (\S{1,500})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  // Compare hashes: how early the comparison ends then reveals nothing about the secret.
  const [one, other] = await Promise.all([sha256(given), sha256(secret)]);
  return secret !== '' && one === other;
}
