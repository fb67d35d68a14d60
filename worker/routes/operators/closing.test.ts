import { expect, it } from 'vitest';
import { OperatorClinic } from '#shared/contracts/operators/operator';
import { clinicWorld, pay, useObjects } from '#tests/support/operate-world';
import { makeOperatorApp } from '#tests/support/operator/operator';
import { eventsOf } from '#tests/support/unit/trail';
import { INSTALLATION } from '#worker/data/schema/audit';

useObjects();

it('a clinic that an operator closes is erased, recorded under the operator’s name, and shown as erased', async () => {
  const world = await clinicWorld();
  await pay(world, 1);
  const { clinics, gateway } = world.installation;
  const app = makeOperatorApp({ clinics, gateway });
  const { jar, me } = await app.enrol();
  const path = `clinics/${world.clinicDeps.clinic}`;
  const viewClinic = async () => OperatorClinic.parse(await (await app.ask(jar, 'GET', path)).json());
  expect((await viewClinic()).clinic).toMatchObject({ account: world.accountId, erased_at: null });

  const answer = await app.ask(jar, 'POST', `${path}/closing`, { body: { name: world.name } });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { done: expect.stringMatching(/^The clinic is closed\. \d+ records of payments and acts are kept until 2033-/) },
  ]);
  expect((await viewClinic()).clinic).toMatchObject({ state: 'erased', account: null });
  expect(await eventsOf(INSTALLATION, 'clinic.erased')).toMatchObject([
    { actorKind: 'operator', actorId: me.id, subjectId: String(world.clinicDeps.clinic) },
  ]);
  expect((await app.ask(jar, 'POST', `${path}/closing`, { body: { name: world.name } })).status).toBe(404);
});
