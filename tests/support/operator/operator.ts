import type { OperatorMe, PasskeyOptions } from '#shared/contracts/operators/operator';
import { Jar } from '#tests/support/consent';
import { makeContentApp } from '#tests/support/content/content';
import { testSettings } from '#tests/support/unit/settings';
import type { Deps } from '#worker/deps';
import { type Authenticator, type Deviations, makeAuthenticator } from './authenticator.ts';

export const SETUP_CODE = testSettings('').OPERATOR_SETUP_CODE;

type Options = PasskeyOptions['options'] & { challenge: string };
type Ask = { body?: unknown; headers?: Record<string, string> };

/** The product's app with calls of the operator area. A cookie jar stands for a browser. */
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

  /** Requests a challenge; for an enrolment, `body` has the code. */
  const challenge = async (jar: Jar, path: 'session' | 'proof' | 'enrolment', body: object = {}) =>
    optionsOf(await ask(jar, 'POST', `${path}/options`, { body }));

  /** Enrols an operator with a new passkey and signs in. */
  const enrol = async ({ code = SETUP_CODE, name = 'Olga Reyes', bent = {} as Deviations } = {}) => {
    const jar = new Jar();
    const key = await makeAuthenticator();
    const options = await challenge(jar, 'enrolment', { code, name });
    const credential = await key.make(options, bent);
    const answer = await ask(jar, 'POST', 'enrolment', { body: { code, name, credential } });
    const me = (await answer.clone().json()) as OperatorMe;
    return { jar, key, answer, me };
  };

  /** Uses a passkey to sign in or to prove an action. */
  const show = async (jar: Jar, key: Authenticator, path: 'session' | 'proof', changes: Deviations = {}) => {
    const credential = await key.show(await challenge(jar, path), changes);
    return ask(jar, 'POST', path, { body: { credential } });
  };

  return { ...app, ask, challenge, enrol, show };
}

export type OperatorApp = ReturnType<typeof makeOperatorApp>;
