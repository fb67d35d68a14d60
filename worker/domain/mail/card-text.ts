/** "VISA •••• 1111": brand and last four, never more of the number. */
export function cardText({ cardBrand, cardLastFour }: { cardBrand: string; cardLastFour: string }): string {
  return [cardBrand, cardLastFour && `•••• ${cardLastFour}`].filter(Boolean).join(' ');
}
