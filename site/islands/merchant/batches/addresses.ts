/** The address of a device's transactions; without a batch, of its newest one. */
export const transactionsAddress = (terminalId: string, batchId?: string): string =>
  `/transactions?${new URLSearchParams({ terminal: terminalId, ...(batchId ? { batch: batchId } : {}) })}`;
