import type { OperatorMe, PasskeyOptions } from '#shared/contracts/operators/operator';
import { Jar } from '#tests/support/consent';
import { makeContentApp } from '#tests/support/content/content';
import { testSettings } from '#tests/support/unit/settings';
import type { Deps } from '#worker/deps';
import { type Authenticator, type Bent, makeAuthenticator } from './authenticator.ts';

export const SETUP_CODE = testSettings('').OPERATOR_SETUP_CODE;

type Options = PasskeyOptions['options'] & { challenge: string };
type Ask = { body?: unknown; headers?: Record<string, string> };

/** The product's app with calls of the operator's area; a browser is its jar of cookies. */
export function makeOperatorApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const app = makeContentApp(overrides, settings);

  const ask = async (jar: Jar, method: string, path: string, { body, headers = {} }: Ask = {}) =>
    jar.take(
      await app.request(`/api/operator/${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'cf-connecting-ip': '203.0.113.7', ...jar.header, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

  const optionsOf = async (answer: Response): Promise<Options> =>
    ((await answer.json()) as { options: Options }).options;

  /** Asks for a challenge; with a code for an enrolment. */
  const challenge = async (jar: Jar, path: 'session' | 'proof' | 'enrolment', body: object = {}) =>
    optionsOf(await ask(jar, 'POST', `${path}/options`, { body }));

  /** Makes an operator with a passkey, signed in. */
  const enrol = async ({ code = SETUP_CODE, name = 'Olga Reyes', bent = {} as Bent } = {}) => {
    const jar = new Jar();
    const key = await makeAuthenticator();
    const options = await challenge(jar, 'enrolment', { code, name });
    const credential = await key.make(options, bent);
    const answer = await ask(jar, 'POST', 'enrolment', { body: { code, name, credential } });
    const me = (await answer.clone().json()) as OperatorMe;
    return { jar, key, answer, me };
  };

  /** Shows a passkey: to sign in, or to act. */
  const show = async (jar: Jar, key: Authenticator, path: 'session' | 'proof', bent: Bent = {}) => {
    const credential = await key.show(await challenge(jar, path), bent);
    return ask(jar, 'POST', path, { body: { credential } });
  };

  return { ...app, ask, challenge, enrol, show };
}

export type OperatorApp = ReturnType<typeof makeOperatorApp>;
