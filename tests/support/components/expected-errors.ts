/** Console errors of the current test. */
export const errors: string[] = [];

/** Patterns of the console errors that the test provokes. */
export const expectedErrors: RegExp[] = [];

/** Allows matching console errors in the current test. */
export const expectErrors = (pattern: RegExp): void => void expectedErrors.push(pattern);
