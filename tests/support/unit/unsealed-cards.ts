/** Options of the card provider's adapter that leave the tokens of stored cards open. */
export const unsealedCards = {
  sealCardToken: async (_cardId: string, token: string) => token,
  openCardToken: async (_cardId: string, sealedToken: string) => sealedToken,
};
