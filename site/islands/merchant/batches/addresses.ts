/** Where the transactions of a device stand; without a batch its newest one. */
export const transactionsAddress = (terminalId: string, batchId?: string): string =>
  `/transactions?${new URLSearchParams({ terminal: terminalId, ...(batchId ? { batch: batchId } : {}) })}`;
