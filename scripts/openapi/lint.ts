import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS from 'openapi-typescript';

/**
 * Problems that standard tools find in a document: errors of Redocly's recommended rules, and the error at which
 * openapi-typescript, which generates types, fails.
 */
export async function lintDocument(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  const errors = problems.flatMap(({ severity, ruleId, message, location }) =>
    severity === 'error' ? [`${ruleId}: ${message} (${location[0]?.pointer ?? ''})`] : [],
  );
  return [...errors, ...(await typesFault(text))];
}

async function typesFault(text: string): Promise<string[]> {
  try {
    await openapiTS(text, { silent: true });
    return [];
  } catch (cause) {
    return [`openapi-typescript: ${cause instanceof Error ? cause.message : String(cause)}`];
  }
}
