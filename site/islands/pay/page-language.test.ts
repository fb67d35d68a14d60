import { describe, expect, it } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
import { readReply } from './reply.ts';
import { reasonIn, refusalIn } from './words.ts';

const [english, spanish] = [payPageWords('en'), payPageWords('es')];
const refusalWith = (code: string, message: string, fields: string[] = []) => ({ code, message, fields });

describe('payment errors in the page’s language', () => {
  it('are not changed in English', () => {
    expect(refusalIn(english, refusalWith('amount-changed', 'As answered.'))).toBe('As answered.');
    expect(reasonIn(english, { message: 'Card Expired', resultCode: '003' })).toBe('Card Expired');
  });

  it('are translated into Spanish by their code, unless the code is unknown', () => {
    expect(refusalIn(spanish, refusalWith('amount-changed', 'The amount due has changed.'))).toBe(
      'El monto cambió. Recargue la página.',
    );
    expect(refusalIn(spanish, refusalWith('new-one', 'Something new.'))).toBe('Something new.');
  });

  it('list the fields by their labels in the language', () => {
    const missing = refusalWith('invalid', 'Please fill in all required fields: City, Signature', [
      'city',
      'signature',
    ]);
    expect(refusalIn(spanish, missing)).toBe('Complete los campos obligatorios: Ciudad y Firma');
    expect(refusalIn(spanish, refusalWith('invalid', 'Zip is too long.', ['zip', 'x']))).toBe(
      'Datos no válidos: Código postal y x',
    );
  });

  it.each([
    ['003', 'Tarjeta vencida.'],
    ['012', 'Fondos insuficientes.'],
    ['016', 'Supera el límite de la tarjeta.'],
    ['023', 'El banco rechazó la tarjeta. Use otra o llame a su banco.'],
    ['046', 'Su tarjeta fue rechazada.'],
    ['057', 'El banco no respondió. Inténtelo más tarde.'],
    ['099', 'El pago fue rechazado.'],
  ])('translate the result code %s to "%s" in Spanish', (resultCode, reason) => {
    expect(reasonIn(spanish, { message: 'Odd reply', resultCode })).toBe(reason);
  });

  it('do not report a refusal in Spanish if the outcome is unknown', () => {
    const payload = { payloadType: 'error', error: { 'error-message': 'Odd reply', 'result-code': '099' } };
    for (const status of [200, 500])
      expect(readReply(status, { payload }, spanish)).toMatchObject({ message: 'Odd reply' });
    expect(readReply(402, { payload }, spanish)).toMatchObject({ message: 'El pago fue rechazado.' });
  });

  it('do not state in Spanish that nothing was charged if the outcome is unknown', () => {
    const outcome = readReply(500, { error: { code: 'internal', message: 'Something went wrong.' } }, spanish);
    expect(outcome).toEqual({ kind: 'unexpected', message: 'No se pudo procesar el pago.', failure: null });
  });
});
