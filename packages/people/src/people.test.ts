import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { manualClock, second } from '@hearth/clock';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { createSealer } from '@hearth/sealing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPeople, type People, type PeopleOptions } from './people.ts';
import { shieldId } from './shield.ts';

const sealer = createSealer(Buffer.alloc(32, 7).toString('base64url'), systemRandom);
const clock = manualClock('2026-03-01T12:00:00Z');
const ids = createIds(clock, systemRandom);

let known: Map<string, PersonFacts>;
let asked: string[][];
let receive: (payload: Uint8Array) => void;
let reconnect: () => void;
let answering: (() => Promise<void>) | undefined;
let people: People;

beforeEach(() => {
  known = new Map();
  asked = [];
  answering = undefined;
  people = createPeople({
    identity: {
      findPeople: (async (request: { ids?: string[]; handles?: string[]; emails?: string[] }) => {
        const { emails = [] } = request;
        asked.push([
          ...(request.ids ?? []),
          ...(request.handles ?? []).map((handle) => `@${handle}`),
          ...emails,
        ]);
        const answer = (id: string) => (known.has(id) ? { facts: known.get(id) } : {});
        const byHandle = (handle: string) => {
          const found = [...known.values()].find((each) => each.handle === handle);
          return found === undefined ? {} : { facts: found };
        };
        const byEmail = (email: string) => {
          const found = [...known.values()].find((each) => each.email === email);
          return found === undefined ? {} : { facts: found };
        };
        const results = [
          ...(request.ids ?? []).map(answer),
          ...(request.handles ?? []).map(byHandle),
          ...emails.map(byEmail),
        ];
        await answering?.();
        return { results };
      }) as unknown as PeopleOptions['identity']['findPeople'],
    },
    bus: {
      onSignal: (subject, listener) => {
        expect(subject).toBe('people');
        receive = listener;
        return { stop: async () => {} };
      },
      onReconnect: (listener) => {
        reconnect = () => listener({ logLost: false });
      },
    },
    clock,
    sealer,
  });
});

function somebody(fields: MessageInitShape<typeof PersonFactsSchema> = {}): PersonFacts {
  const id = ids.uuid();
  const facts = create(PersonFactsSchema, {
    id,
    handle: `p-${id.slice(-8)}`,
    name: 'Ada Lovelace',
    ageBand: AgeBand.ADULT,
    ...fields,
  });
  known.set(id, facts);
  return facts;
}
const person = (id: string): Caller => create(CallerSchema, { kind: CallerKind.PERSON, id });
const signal = (text: string) => receive(Buffer.from(text));

describe('facts about people', () => {
  test('are loaded in one batched query and cached for half a minute', async () => {
    const some = Array.from({ length: 20 }, () => somebody());
    const nobody = ids.uuid();
    const found = await people.find([...some.map(({ id }) => id), nobody, some[0]!.id]);
    expect([...found.keys()].toSorted()).toEqual(some.map(({ id }) => id).toSorted());
    const before = asked.length;
    expect(before).toBeLessThanOrEqual(2);
    await people.find([some[0]!.id, nobody]);
    expect(asked.length).toBe(before);
    clock.advance(30 * second);
    await people.findOne(some[0]!.id);
    expect(asked.length).toBe(before + 1);
  });

  test('are evicted on signals for one person or all, and when signals may have been missed', async () => {
    const [one, other] = [somebody(), somebody()];
    const names = async () => [(await people.findOne(one.id))?.name, (await people.findOne(other.id))?.name];
    await names();
    for (const each of [one, other]) known.set(each.id, { ...each, name: 'New' });
    expect(await names()).toEqual(['Ada Lovelace', 'Ada Lovelace']);
    signal(one.id);
    expect(await names()).toEqual(['New', 'Ada Lovelace']);
    signal('');
    expect(await names()).toEqual(['New', 'New']);
    known.delete(one.id);
    reconnect();
    expect(await names()).toEqual([undefined, 'New']);
  });

  test('loaded before a change are not cached after it', async () => {
    const one = somebody();
    answering = async () => {
      answering = undefined;
      known.set(one.id, { ...one, name: 'New' });
      signal(one.id);
    };
    expect((await people.findOne(one.id))?.name).toBe('Ada Lovelace');
    expect((await people.findOne(one.id))?.name).toBe('New');
  });
});

describe('a reference to a person', () => {
  test('may be me, an id or a handle', async () => {
    const ann = somebody();
    const viewer = person(ann.id);
    for (const reference of [
      'me',
      printId('per', ann.id),
      `@${ann.handle}`,
      `@${ann.handle.toUpperCase()}`,
    ]) {
      expect((await people.resolve(reference, viewer))?.id).toBe(ann.id);
    }
    for (const reference of [
      '',
      '@',
      'x',
      ann.handle,
      ann.id,
      'per_0',
      `@${ann.handle}.ai-x`,
      '@nobody-here',
    ]) {
      expect(await people.resolve(reference, viewer)).toBeNull();
    }
    expect(await people.resolve('me', create(CallerSchema, { kind: CallerKind.APP, id: ann.id }))).toBeNull();
  });

  test('to a child is the id shown to that caller, and no other', async () => {
    const [parent, stranger, other] = [somebody(), somebody(), somebody()];
    const child = somebody({ ageBand: AgeBand.CHILD, guardians: [parent.id] });
    const own = [printId('per', child.id), `@${child.handle}`];
    for (const reference of own) {
      expect((await people.resolve(reference, person(parent.id)))?.id).toBe(child.id);
      expect(await people.resolve(reference, person(stranger.id))).toBeNull();
    }
    const shown = people.idFor(child, person(stranger.id));
    expect(shown).toBe(shieldId(sealer, stranger.id, child.id));
    expect((await people.resolve(shown, person(stranger.id)))?.id).toBe(child.id);
    expect(await people.resolve(shown, person(other.id))).toBeNull();
    expect(people.idFor(child, person(parent.id))).toBe(printId('per', child.id));
  });

  test('to an adult cannot be a shielded id', async () => {
    const [ann, stranger] = [somebody(), somebody()];
    expect(await people.resolve(shieldId(sealer, stranger.id, ann.id), person(stranger.id))).toBeNull();
  });

  test('to a person of another home resolves only where people of other homes are included', async () => {
    const { id, handle } = somebody({ home: 'else.example' });
    const viewer = person(somebody().id);
    expect(await people.find([id])).toEqual(new Map());
    expect(await people.findOne(id)).toBeNull();
    expect(await people.resolve(printId('per', id), viewer)).toBeNull();
    expect(await people.resolve(`@${handle}`, viewer)).toBeNull();
    const { everywhere } = people;
    expect((await everywhere.find([id])).get(id)?.id).toBe(id);
    const found = await everywhere.resolve(printId('per', id), viewer);
    expect(found && people.show(found, viewer).address).toBe(`${handle}@else.example`);
  });
});

test('concurrent lookups by email address are batched', async () => {
  const ann = somebody({ email: 'ann@example.org' });
  const found = await Promise.all(['ann@example.org', 'no@example.org'].map(people.byEmail));
  expect(found.map((facts) => facts?.id)).toEqual([ann.id, undefined]);
  expect(asked).toEqual([['ann@example.org', 'no@example.org']]);
});
