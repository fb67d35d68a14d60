/**
 * Credentials of a local product in the simulated world. All values are invented, work only in this local sandbox, and
 * are fixed so that a state folder keeps working across restarts.
 */

export type HubCredentials = {
  hubId: number;
  name: string;
  domain: string;
  /** IANA zone of the CRM account. */
  timeZone: string;
  /**
   * [documented] A token's metadata names its user by number and email address.
   * [guessed] The role is invented for the consent page. No CRM response that the product reads contains one.
   */
  users: { userId: number; email: string; role: 'admin' | 'staff' }[];
  /** Long-lived grant with the product's own read-only scopes. */
  refreshToken: string;
  /** A grant with write scopes, for tests and for users who edit the world through the wire API. */
  writerRefreshToken: string;
};

export type TerminalCredentials = {
  terminalId: string;
  name: string;
  hubId: number;
  channel: 'counter' | 'ecommerce';
  /** [documented] 32 hex digits for the server only. They identify one terminal, regardless of the user. */
  apiKey: string;
  /** Hex SPKI of the terminal's brainpoolP384t1 key, which is sent to the browser. */
  publicKey: string;
};

export const crmApp = {
  /** The name that the developer registered; the consent page shows it. */
  name: 'Tillway',
  appId: 1_862_044,
  clientId: 'c5ebbc4e-39ec-40a9-a6ab-ea6272b42d8b',
  clientSecret: 'ac478022-2750-436e-bf64-662f0cdf9491',
} as const;

/** The scopes that the product requests. */
export const productScopes = [
  'oauth',
  'crm.objects.companies.read',
  'crm.objects.contacts.read',
  'crm.objects.invoices.read',
  'e-commerce',
  'crm.objects.line_items.read',
  'crm.schemas.line_items.read',
] as const;

export const hubs: [HubCredentials, HubCredentials, HubCredentials] = [
  {
    hubId: 46_120_731,
    name: 'Maple Street Dental',
    domain: 'maplestreetdental.example',
    timeZone: 'America/Indiana/Indianapolis',
    users: [
      { userId: 71_204_401, email: 'grace.lindqvist@maplestreetdental.example', role: 'admin' },
      { userId: 71_204_402, email: 'tom.abara@maplestreetdental.example', role: 'staff' },
    ],
    refreshToken: 'na1-0379cca7-23c1-4d52-95c8-54ba8f52d3a1',
    writerRefreshToken: 'na1-339ae348-77fe-40f0-97a3-db8898cde172',
  },
  {
    hubId: 46_207_518,
    name: 'Harbor Physio',
    domain: 'harborphysio.example',
    timeZone: 'America/Los_Angeles',
    users: [
      { userId: 71_318_211, email: 'noor.haddad@harborphysio.example', role: 'admin' },
      { userId: 71_318_212, email: 'eli.santos@harborphysio.example', role: 'staff' },
    ],
    refreshToken: 'na1-f8e34edb-698f-4fff-94e1-d01315b95c8d',
    writerRefreshToken: 'na1-ffb300fc-2a26-4021-934e-24bcb6ea2fad',
  },
  {
    hubId: 46_311_094,
    name: 'Cedar Vet Clinic',
    domain: 'cedarvet.example',
    timeZone: 'America/New_York',
    users: [
      { userId: 71_422_907, email: 'hanna.okafor@cedarvet.example', role: 'admin' },
      { userId: 71_422_908, email: 'luis.ferro@cedarvet.example', role: 'staff' },
    ],
    refreshToken: 'na1-c94de86e-8b62-4d72-9cf5-d6216b9e54d4',
    writerRefreshToken: 'na1-3108ac4a-758b-40da-9981-65388fe1c54b',
  },
];

/** The terminals of hub 1, the only boarded merchant at first start. */
export const terminals: TerminalCredentials[] = [
  {
    terminalId: '70141',
    name: 'Front desk 1',
    hubId: hubs[0].hubId,
    channel: 'counter',
    apiKey: '1789f5be05f0f2a17756f4a808624798',
    publicKey:
      '307a301406072a8648ce3d020106092b240303020801010c03620004726c850fe86c401c6dc8f6bb280d33a367ecee75fb02' +
      '91669d882fff792d33b5233489777ab0adf171c3b83481357ca87776fdd0bff7feca8cf35653e288722ddc5bc3e7cc128be2' +
      'e61c4562da6ce8704dea395cc3e716af08f099c29ac75aca',
  },
  {
    terminalId: '70142',
    name: 'Front desk 2',
    hubId: hubs[0].hubId,
    channel: 'counter',
    apiKey: 'b905b664725c69a6b2b510f0f4753c62',
    publicKey:
      '307a301406072a8648ce3d020106092b240303020801010c03620004072743b6e69356f3f44a6c9b2605060e29d9e869e947' +
      '3879f13f8f6376e2e80cbbdae5d311d32964da1f5d44f9d75fb3879011fce793b4ad711e949553628eac60c61a7250604aaa' +
      'a066582a1942831aa7d15d15f25ecd1b2cfd3afacbe0ff83',
  },
  {
    terminalId: '70143',
    name: 'Online payments',
    hubId: hubs[0].hubId,
    channel: 'ecommerce',
    apiKey: '231a4dc91b3a94f213e9f53f4ac0d295',
    publicKey:
      '307a301406072a8648ce3d020106092b240303020801010c0362000426a24df80a7343b4416de218b9a2740161217dc3e438' +
      'cb30863fe569fb43e6436bb0255165288a033f514eb901e8e87782f4f2e00b8362b3339a2e006413e776e7a2ff4c4023f0c8' +
      '680f71dac60f671a8bf22d83c5f084f71e3a0dd9f0a02606',
  },
];

/** The gateway's merchant number of each boarded account. */
export const merchantIds: Record<number, string> = { [hubs[0].hubId]: '6588000004471290' };

/** The partner's key for boarding, and the secret part of the product's webhook address. */
export const boarding = {
  accessKey: '5e27207dd64af954e4b9d8e67f25a933',
  hierarchyNodeKey: '0214f79fb0b4',
  webhookSecret: 'b3c7d0a1f64e4f0f9a5be2c47d18a6539c0e',
} as const;

/** The secret part of the transaction webhook's address. It is registered with each terminal, so more people see it. */
export const transactionWebhookSecret = '7e1f0c9ab25d4d3c8f60a1e4572b9d38c6f1';

/** Hub 3 has a pending application at the card provider; `applicationPath` is its path in this sandbox. */
export const pendingMerchant = {
  hubId: hubs[2].hubId,
  merchantNumber: '6588000004471308',
  applicationPath: '/onboarding/applications/Zq3nV0cTg8yB1hLw5uXe7A',
} as const;

export const mailApiKey = 're_1fb700cbb7ac6a9aede6889b';
/** Signs events about emails. */
export const mailWebhookSecret = 'whsec_c2FuZGJveC1vZi10aWxsd2F5LXNpZ25zLW1haWxz';
