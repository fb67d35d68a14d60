type Texts = { button: string; sent: string; failed: string; path: string };

/** Texts of sending an email. `path` is the last part of its route's address, before the invoice. */
export const mailTexts = {
  'pay-link': {
    button: 'Email Payment Link',
    sent: 'Payment link sent',
    failed: 'Error sending payment link',
    path: 'sendPaymentLink',
  },
  receipt: {
    button: 'Email Receipt',
    sent: 'Payment success email sent',
    failed: 'Error sending payment success email',
    path: 'sendPaymentSuccessEmail',
  },
} satisfies Record<string, Texts>;

export type MailKind = keyof typeof mailTexts;
