import { expect, it } from 'vitest';
import { createPasskeys } from './passkeys.ts';

it('a new passkey may use EdDSA, ES256 or RS256, in this order, and must verify the user', async () => {
  const passkeys = createPasskeys({ appUrl: 'https://tillway.example', name: 'Tillway' });
  const options = await passkeys.enrolment('challenge', { id: '7', name: 'Ana' });
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
  expect(options.authenticatorSelection?.userVerification).toBe('required');
  expect(options.rp).toEqual({ id: 'tillway.example', name: 'Tillway' });
});
