import type { Knobs } from '../gateway/knobs.ts';
import { createGatewayModel } from '../gateway/model.ts';
import type { GatewayModel } from '../gateway/truth.ts';
import type { VendorModel, VendorWorld } from '../vendor.ts';
import { gatewaySetUp, settings, WEBHOOK_PATH } from '../world/setting.ts';

/** The gateway closes an open batch by itself half an hour before midnight of its terminal. */
const NIGHT = { hour: 23, minute: 30 };

export type Gateways = ReturnType<typeof gatewaysOfDay>;

/** The gateway, with books for each merchant, so that what one of them has slows no other's look-ups. */
export function gatewaysOfDay(world: VendorWorld, dedupe: Knobs['dedupe']) {
  const models = new Map<string, GatewayModel>();
  const { host } = new URL(gatewaySetUp.baseUrl);
  let downUntil = 0;
  const model: VendorModel = {
    serves: (url) => url.host === host,
    receive(request) {
      const key = request.headers.get('api-key') ?? request.headers.get('public-key') ?? '';
      const own = models.get(key);
      if (!own) throw new Error('a call with a key that is nobody’s');
      return own.receive(request);
    },
  };
  return {
    ...model,
    downUntil: () => downUntil,
    isDown(until: number) {
      downUntil = until;
    },
    /** `zoneHours`: of its terminal's zone, behind UTC. */
    add(at: number, zoneHours: number) {
      const terminalId = `T-${at}`;
      const apiKey = `${at}`.padStart(32, 'a');
      const own = createGatewayModel(world, {
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
      own.knobs.dedupe = dedupe;
      own.knobs.nightClose = [(NIGHT.hour + zoneHours) % 24, NIGHT.minute];
      models.set(apiKey, own);
      return { terminalId, apiKey, publicKey: `307a${at}`, model: own };
    },
    modelOf: (at: number): GatewayModel => {
      const own = models.get(`${at}`.padStart(32, 'a'));
      if (!own) throw new Error(`no merchant ${at}`);
      return own;
    },
  };
}
