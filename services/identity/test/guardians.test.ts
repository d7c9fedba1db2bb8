import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changesOf, factsOf, type HeldPerson, newApp, newPerson } from './people.ts';
import { addGroup } from './persons.ts';
import { failure, operator, startIdentity, words } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
afterAll(() => home.stop());

let ann: HeldPerson;
let bob: HeldPerson;
let child: HeldPerson;
beforeEach(async () => {
  ann = await newPerson(home, app, { name: 'Ann Smith' });
  bob = await newPerson(home, app, { name: 'Bob Smith' });
  child = await newPerson(home, app, { name: 'Cy Smith', birthYearMonth: '2018-05', guardian: ann.id });
});

const suspend = ({ id }: HeldPerson) =>
  by(operator).suspendPerson({ id, until: timestampFromMs(home.clock.now() + 7 * day), reason: 'spam' });
const guardians = async () => (await factsOf(home, child.uuid))?.guardians;

describe('a suspended adult', () => {
  test('cannot become a guardian until the suspension ends', async () => {
    addGroup(home, [ann, bob]);
    await suspend(bob);
    for (const caller of [app, { caller: ann.web() }, { caller: app.actingFor(ann.uuid) }])
      for (const second of [false, true]) {
        const named = by(caller).setGuardian({ id: child.id, guardian: bob.id, second });
        expect(await words(named)).toMatch(/^guardian: is suspended/);
      }
    expect(
      await failure(
        by(app).createPerson({
          name: 'Dee',
          birthYearMonth: '2019-05',
          guardian: bob.id,
          ageBand: AgeBand.CHILD,
        }),
      ),
    ).toBe('bad_request bad_field');
    expect(await guardians()).toEqual([ann.uuid]);
    home.clock.advance(7 * day);
    await by(ann.web()).setGuardian({ id: child.id, guardian: bob.id, second: true });
    expect(await guardians()).toEqual([ann.uuid, bob.uuid]);
  });

  test('is not disclosed to an app that does not hold them', async () => {
    await suspend(bob);
    const other = await newApp(home);
    const named = by(other).createPerson({
      name: 'Dee',
      birthYearMonth: '2019-05',
      guardian: bob.id,
      ageBand: AgeBand.CHILD,
    });
    expect(await failure(named)).toBe('bad_request held_elsewhere');
  });

  test('remains a guardian, and cannot become the only one', async () => {
    home.clock.advance(1);
    await by(app).setGuardian({ id: child.id, guardian: bob.id, second: true });
    await suspend(bob);
    const before = (await changesOf(home, child.uuid)).length;
    await by(app).setGuardian({ id: child.id, guardian: bob.id, second: true });
    expect(await words(by(ann.web()).setGuardian({ id: child.id, guardian: bob.id }))).toMatch(
      /^guardian: is suspended/,
    );
    expect(await guardians()).toEqual([ann.uuid, bob.uuid]);
    expect((await changesOf(home, child.uuid)).length).toBe(before);
  });

  test('is announced with the children in their care, and so is the end of the suspension', async () => {
    await suspend(ann);
    await by(operator).restorePerson({ id: ann.id, reason: 'sorry' });
    await suspend(ann);
    home.clock.advance(7 * day);
    await home.runJob('identity: end-suspensions-of-people');
    await by(ann.web()).updatePerson({ id: ann.id, name: 'Ann Jones' });
    const told = (await changesOf(home, ann.uuid)).map(({ changed, wards }) => [changed[0], wards]);
    expect(told).toEqual([
      ['suspended', [child.uuid]],
      ['restored', [child.uuid]],
      ['suspended', [child.uuid]],
      ['restored', [child.uuid]],
      ['name', []],
    ]);
  });
});
