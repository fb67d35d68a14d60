/** The header that denies powerful features. `payment`: the origins that may open a wallet's sheet; none by default. */
export const permissionsPolicy = (payment = ''): string =>
  `camera=(), microphone=(), geolocation=(), payment=(${payment}), usb=()`;
