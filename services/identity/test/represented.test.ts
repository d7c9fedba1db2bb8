import { AisService } from '@hearth/proto/identity/v1/ais';
import { Scope } from '@hearth/proto/options';
import { afterAll, expect, test } from '@jest/globals';
import { newApp, newPerson } from './people.ts';
import { startIdentity } from './start-identity.ts';

const home = await startIdentity();
afterAll(() => home.stop());
const ais = home.home.client(AisService, 'decisions');

test('each question is answered for its own people and permission, even concurrently', async () => {
  const app = await newApp(home);
  const [ada, ben, cleo] = await Promise.all([1, 2, 3].map(() => newPerson(home, app)));
  const permit = async (who: typeof ada, permissions: Scope[]) =>
    await home.by(who!.web()).createAi({ name: 'Helper', permissions });
  await permit(ada, [Scope.READ, Scope.MESSAGE, Scope.GROUP]);
  await permit(ada, [Scope.READ, Scope.GROUP]);
  await permit(ben, [Scope.READ, Scope.MESSAGE]);
  const find = async (people: readonly string[], permission: Scope) =>
    (await ais.findRepresented({ people: [...people], permission })).people.toSorted();
  const all = [ada!.uuid, ben!.uuid, cleo!.uuid];
  expect(
    await Promise.all([
      find(all, Scope.GROUP),
      find(all, Scope.MESSAGE),
      find([ben!.uuid, cleo!.uuid], Scope.GROUP),
      find([ben!.uuid, ben!.uuid, 'no uuid'], Scope.MESSAGE),
      find([], Scope.READ),
    ]),
  ).toEqual([[ada!.uuid], [ada!.uuid, ben!.uuid].toSorted(), [], [ben!.uuid], []]);
});
