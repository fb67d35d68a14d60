import { both } from './both.ts';

/** Texts of the signature pad for payers and the front desk. */
export const padWords = {
  signature: both('Signature', 'Firma'),
  how: both('How to sign', 'Cómo firmar'),
  draw: both('Draw', 'Dibujar'),
  type: both('Type', 'Escribir'),
  fullName: both('Type your full name', 'Escriba su nombre completo'),
  clear: both('Clear Signature', 'Borrar firma'),
  save: both('Save Signature', 'Guardar firma'),
  saved: both('Saved', 'Guardada'),
  isSaved: both('Signature saved', 'Firma guardada'),
  isEmpty: both('Signature empty', 'Sin firma'),
  yours: both('Your signature', 'Su firma'),
  pad: both(
    'Signature pad. To sign without a pointer, choose Type.',
    'Recuadro de firma. Para firmar sin mouse, elija Escribir.',
  ),
  preview: both('Preview of your signature', 'Vista previa de su firma'),
};

/** Texts of the ways to sign without the pad. */
export const signWords = {
  others: both('Sign another way', 'Firmar de otra manera'),
  tick: both('Sign with a checkbox instead', 'Firmar con una marca'),
  unticked: both(
    'Tick to sign, or type or draw your name',
    'Marque la casilla para firmar, o escriba o dibuje su nombre',
  ),
  unsigned: both(
    'Sign with your finger or mouse, or type your name',
    'Firme con el dedo o el mouse, o escriba su nombre',
  ),
};
