/** What a test provokes in the console: errors that match do not fail it. */
export const expectedErrors: RegExp[] = [];
