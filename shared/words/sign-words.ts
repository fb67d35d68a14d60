import { bilingual } from './bilingual.ts';

/** Texts of the signature pad for payers and the front desk. */
export const padWords = {
  signature: bilingual('Signature', 'Firma'),
  methods: bilingual('How to sign', 'Cómo firmar'),
  draw: bilingual('Draw', 'Dibujar'),
  type: bilingual('Type', 'Escribir'),
  fullName: bilingual('Type your full name', 'Escriba su nombre completo'),
  clear: bilingual('Clear Signature', 'Borrar firma'),
  save: bilingual('Save Signature', 'Guardar firma'),
  saved: bilingual('Saved', 'Guardada'),
  signatureSaved: bilingual('Signature saved', 'Firma guardada'),
  empty: bilingual('Signature empty', 'Sin firma'),
  yourSignature: bilingual('Your signature', 'Su firma'),
  pad: bilingual(
    'Signature pad. To sign without a pointer, choose Type.',
    'Recuadro de firma. Para firmar sin mouse, elija Escribir.',
  ),
  preview: bilingual('Preview of your signature', 'Vista previa de su firma'),
};

/** Texts for signing with a checkbox. */
export const signWords = {
  otherWay: bilingual('Sign another way', 'Firmar de otra manera'),
  checkbox: bilingual('Sign with a checkbox instead', 'Firmar con una marca'),
  checkboxHint: bilingual(
    'Tick to sign, or type or draw your name',
    'Marque la casilla para firmar, o escriba o dibuje su nombre',
  ),
  padHint: bilingual(
    'Sign with your finger or mouse, or type your name',
    'Firme con el dedo o el mouse, o escriba su nombre',
  ),
};
