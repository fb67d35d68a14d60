import { bilingual } from './bilingual.ts';

/** Texts of the wallets on the pay page. */
export const walletWords = {
  applePay: bilingual('Pay with Apple Pay', 'Pagar con Apple Pay'),
  orEnterCard: bilingual('Or enter your card details below', 'O escriba abajo los datos de su tarjeta'),
  signFirst: bilingual('Tick to sign first', 'Primero marque la casilla para firmar'),
  failed: bilingual(
    'Apple Pay could not be opened. Please enter your card details.',
    'No se pudo abrir Apple Pay. Escriba los datos de su tarjeta.',
  ),
  amountChanged: bilingual(
    'You changed the amount while Google Pay was open. Please press its button again.',
    'Cambió el monto mientras Google Pay estaba abierto. Pulse su botón de nuevo.',
  ),
};
