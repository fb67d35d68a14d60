import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampleFile } from './environment-file.ts';
import { fitApp } from './installation-config.ts';

const text = readFileSync('hubspot/src/app/app-hsmeta.json', 'utf8');
const { operator } = sampleFile;

test('each environment gets its own app name, redirect URL and support address with the same scopes', () => {
  const production = fitApp(text, 'production', 'https://pay.clinic.test', operator);
  const staging = fitApp(text, 'staging', 'https://staging.clinic.test', {
    ...operator,
    supportEmail: 'a@clinic.test',
  });
  expect([production.uid, production.config.name]).toEqual(['tillway', 'Tillway']);
  expect([staging.uid, staging.config.name]).toEqual(['tillway-staging', 'Tillway (staging)']);
  expect(staging.config.auth).toEqual({
    ...production.config.auth,
    redirectUrls: ['https://staging.clinic.test/oauth'],
  });
  expect(staging.config.support).toEqual({ supportEmail: 'a@clinic.test' });
  expect(JSON.parse(text).config.auth.requiredScopes).toEqual(staging.config.auth.requiredScopes);
});
