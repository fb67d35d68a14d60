/** The address of all payments, or of those of one local day (YYYY-MM-DD). */
export const paymentsOf = (day?: string): string => `/transactions/all${day ? `?day=${day}..${day}` : ''}`;
