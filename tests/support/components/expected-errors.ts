/** What the console has said in this test. */
export const errors: string[] = [];

/** What a test provokes in the console. */
export const expectedErrors: RegExp[] = [];

/** Lets the console say what matches, in this test. */
export const expectErrors = (pattern: RegExp): void => void expectedErrors.push(pattern);
