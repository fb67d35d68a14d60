/** Returns the path of the list of all payments, or of those on one local day (YYYY-MM-DD). */
export const paymentsPath = (day?: string): string => `/transactions/all${day ? `?day=${day}..${day}` : ''}`;
