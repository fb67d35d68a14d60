import type { Knobs } from '../gateway/knobs.ts';
import { createGatewayModel } from '../gateway/model.ts';
import type { GatewayModel } from '../gateway/truth.ts';
import type { VendorModel, VendorWorld } from '../vendor.ts';
import { gatewaySetUp, settings, WEBHOOK_PATH } from '../world/setting.ts';

/** Time of the gateway's automatic batch close, half an hour before the terminal's midnight. */
const NIGHT = { hour: 23, minute: 30 };

export type Gateways = ReturnType<typeof gatewaysOfDay>;

/** The gateway with separate books per merchant, so that one merchant's volume does not slow another's look-ups. */
export function gatewaysOfDay(world: VendorWorld, dedupe: Knobs['dedupe']) {
  const models = new Map<string, GatewayModel>();
  const { host } = new URL(gatewaySetUp.baseUrl);
  let downUntil = 0;
  const model: VendorModel = {
    serves: (url) => url.host === host,
    receive(request) {
      const key = request.headers.get('api-key') ?? request.headers.get('public-key') ?? '';
      const merchantModel = models.get(key);
      if (!merchantModel) throw new Error('a call with an unknown key');
      return merchantModel.receive(request);
    },
  };
  return {
    ...model,
    downUntil: () => downUntil,
    setDownUntil(until: number) {
      downUntil = until;
    },
    /** Adds a merchant. `zoneHours`: hours of its terminal's zone behind UTC. */
    add(at: number, zoneHours: number) {
      const terminalId = `T-${at}`;
      const apiKey = `${at}`.padStart(32, 'a');
      const merchantModel = createGatewayModel(world, {
        baseUrl: gatewaySetUp.baseUrl,
        merchants: [
          {
            merchantId: `6588${String(at).padStart(12, '0')}`,
            name: `Clinic ${at}`,
            webhookUrl: `${settings.APP_URL}${WEBHOOK_PATH}`,
            terminals: [{ terminalId, name: 'Web', apiKey, publicKey: `307a${at}`, commerceType: 'ECOMMERCE' }],
          },
        ],
      });
      merchantModel.knobs.dedupe = dedupe;
      merchantModel.knobs.nightClose = [(NIGHT.hour + zoneHours) % 24, NIGHT.minute];
      models.set(apiKey, merchantModel);
      return { terminalId, apiKey, publicKey: `307a${at}`, model: merchantModel };
    },
    modelOf: (at: number): GatewayModel => {
      const merchantModel = models.get(`${at}`.padStart(32, 'a'));
      if (!merchantModel) throw new Error(`no merchant ${at}`);
      return merchantModel;
    },
  };
}
