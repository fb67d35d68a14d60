import { type ClinicObject, openClinics } from '#worker/clinic/clinics';
import { createDeps, type Deps, type Env } from '#worker/deps';
import type { Clinic } from './clinic.ts';
import { type Breakable, faultyClinic, type Watch } from './faulty-clinic.ts';
import type { Knobs, Point } from './knobs.ts';
import { type Worlds, worldEnv } from './world-env.ts';

type Objects = DurableObjectNamespace<Clinic>;
type TestEnv = Env & { CONTROL_URL: string };

/** `deps`: the installation's, with ports that fail on demand. `objects`: the clinics' objects, without faults. */
export type Prepared = { env: TestEnv; deps: Deps; objects: Objects; stop(point: Point): Promise<void> };

/** The namespace as the product uses it; its objects fail on demand. */
function faultyObjects(objects: Objects, watch: Watch): DurableObjectNamespace<ClinicObject> {
  const getByName = (name: string) => {
    const stub = objects.getByName(name);
    return {
      ...faultyClinic(stub as unknown as Breakable, watch),
      found: (...founding: Parameters<Clinic['found']>) => stub.found(...founding),
      wake: () => stub.wake(),
    };
  };
  return { getByName } as unknown as DurableObjectNamespace<ClinicObject>;
}

export function prepare(worlds: Worlds, knobs: Knobs, isReconciling: boolean): Prepared {
  const env = worldEnv(worlds, knobs.world ?? 0, knobs.settings ?? {}) as TestEnv;
  let isStopped = false;
  const stop = async (point: Point) => {
    if (knobs.stopAt !== point || isStopped) return;
    isStopped = true;
    await fetch(`${env.CONTROL_URL}/points/${point}`, { method: 'POST' });
  };
  const objects = env.CLINICS as unknown as Objects;
  const deps = createDeps(env);
  deps.clinics = openClinics(faultyObjects(objects, { fault: knobs.database, isReconciling, stop }));
  deps.now = () => Date.now() + (knobs.clockMs ?? 0);
  addFailPoints(deps, stop);
  return { env, deps, objects, stop };
}

function addFailPoints(deps: Deps, stop: Prepared['stop']): void {
  const { crm, gateway, mailer } = deps;
  deps.crm = {
    ...crm,
    async refreshTokens(refreshToken) {
      await stop('before-renewal');
      const tokens = await crm.refreshTokens(refreshToken);
      await stop('after-renewal');
      return tokens;
    },
  };
  deps.gateway = {
    ...gateway,
    async charge(request) {
      const outcomePromise = gateway.charge(request);
      await stop('mid-gateway');
      const outcome = await outcomePromise;
      await stop('after-gateway');
      return outcome;
    },
    async startTerminalSale(request) {
      const outcomePromise = gateway.startTerminalSale(request);
      await stop('mid-gateway');
      const outcome = await outcomePromise;
      await stop('after-gateway');
      return outcome;
    },
    async find(terminal, method, by) {
      await stop('reconcile-before-find');
      const found = await gateway.find(terminal, method, by);
      await stop('reconcile-after-find');
      return found;
    },
  };
  deps.mailer = {
    async send(mail) {
      await stop('outbox-before-send');
      const result = await mailer.send(mail);
      await stop('outbox-after-send');
      return result;
    },
  };
}
