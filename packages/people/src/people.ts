import { asReference, isHandle } from '@hearth/addresses';
import type { Bus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { type Clock, second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { parseId } from '@hearth/ids';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Person } from '@hearth/proto/identity/v1/resources';
import { anonymous, type Caller, type Client, personOf } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import { shieldId, shieldIds, unshield } from './shield.ts';
import { isMinor, seesWhole, showPerson, viewerOf } from './show.ts';

/** Lookup of people by the references that callers use. */
export interface Lookups {
  /** Maps uuids to facts; unknown people are absent. */
  find(ids: Iterable<string>): Promise<Map<string, PersonFacts>>;
  findOne(id: string): Promise<PersonFacts | null>;
  /**
   * The person that a caller means by `me`, per_, shp_ or @handle. Null for an unknown person, and for a person under
   * 18 named by an id other than the one this caller was shown.
   */
  resolve(reference: string, caller: Caller): Promise<PersonFacts | null>;
}

/** This home's people, from identity: cached for 30 seconds, invalidated by the signal `people`. */
export interface People extends Lookups {
  /** The same lookups including remote people, whose facts name their home. */
  everywhere: Lookups;
  /** By a verified address in lower case. */
  byEmail(email: string): Promise<PersonFacts | null>;
  /** The person as the caller may see them. */
  show(facts: PersonFacts, caller: Caller): Person;
  /** The id by which the caller knows the person: per_ or shp_. */
  idFor(facts: PersonFacts, caller: Caller): string;
  /** Maps uuids to the caller's shp_ ids; people that the caller sees in full are absent. */
  shieldedIds(facts: readonly PersonFacts[], caller: Caller): Map<string, string>;
}

export interface PeopleOptions {
  identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
  sealer: Pick<Sealer, 'derive'>;
}

/** Tells every process that a person's facts changed; the payload is their uuid, or empty for everyone. */
export const peopleSignal = 'people';

const maxKnown = 50_000;
const keptMs = 30 * second;
const maxAsked = 500;

export function createPeople({ identity, bus, clock, sealer }: PeopleOptions): People {
  const known = createFactCache<PersonFacts | null>({
    clock,
    max: maxKnown,
    keptMs,
    byDay: true,
    bus,
    signals: [peopleSignal],
  });

  const asks = createCoalescer<string, PersonFacts | null>({
    name: 'batch of people',
    maxBatch: maxAsked,
    async run(ids) {
      const keep = known.keeper();
      const { results } = await identity.findPeople({ ids: [...ids] }, { caller: anonymous });
      return ids.map((id, index) => {
        const facts = results[index]?.facts ?? null;
        keep(id, facts);
        return facts;
      });
    },
  });

  // Mails sent together are looked up together.
  const owners = createCoalescer<string, PersonFacts | null>({
    name: 'batch of owners of addresses',
    async run(emails) {
      const { results } = await identity.findPeople({ emails }, { caller: anonymous });
      return results.map(({ facts }) => facts ?? null);
    },
  });

  async function findAny(id: string): Promise<PersonFacts | null> {
    const kept = known.get(id);
    return kept !== undefined ? kept : await asks.add(id);
  }

  async function byHandle(handle: string): Promise<PersonFacts | null> {
    const { results } = await identity.findPeople({ handles: [handle] }, { caller: anonymous });
    return results[0]?.facts ?? null;
  }

  /** @param counts whether the lookup includes a person */
  function lookups(counts: (facts: PersonFacts) => boolean): Lookups {
    const only = (facts: PersonFacts | null) => (facts !== null && counts(facts) ? facts : null);
    const findOne = async (id: string) => only(await findAny(id));
    return {
      findOne,
      async find(ids) {
        const wanted = [...new Set(ids)];
        const kept = wanted.map(known.get);
        // Most are cached, and a promise for each would cost more than the rest.
        const facts = kept.includes(undefined) ? await Promise.all(wanted.map(findAny)) : kept;
        return new Map(facts.flatMap((each) => (each != null && counts(each) ? [[each.id, each]] : [])));
      },
      async resolve(reference, caller) {
        if (reference === 'me') {
          const own = personOf(caller);
          return own === null ? null : await findOne(own);
        }
        const shielded = unshield(sealer, viewerOf(caller), reference);
        if (shielded !== null) {
          const facts = await findOne(shielded);
          return facts !== null && isMinor(facts) ? facts : null;
        }
        const id = parseId('per', reference);
        const handle = handleIn(reference);
        const facts = id !== null ? await findOne(id) : handle !== null ? only(await byHandle(handle)) : null;
        return facts !== null && seesWhole(facts, caller) ? facts : null;
      },
    };
  }

  return {
    ...lookups(({ home }) => home === ''),
    everywhere: lookups(() => true),
    byEmail: owners.add,
    show: (facts, caller) => showPerson(sealer, facts, caller),
    idFor: (facts, caller) =>
      seesWhole(facts, caller)
        ? `per_${facts.id.replaceAll('-', '')}`
        : shieldId(sealer, viewerOf(caller), facts.id),
    shieldedIds(facts, caller) {
      const shielded = facts.filter((each) => !seesWhole(each, caller)).map(({ id }) => id);
      const ids = shieldIds(sealer, viewerOf(caller), shielded);
      return new Map(shielded.map((id, index) => [id, ids[index] as string]));
    },
  };
}

/** The handle of `@ada`, the full address of `ada@hearth.example`; null for any other text. */
function handleIn(reference: string): string | null {
  const text = asReference(reference).toLowerCase();
  if (text.indexOf('@') > 0) return text;
  return text.startsWith('@') && isHandle(text.slice(1)) ? text.slice(1) : null;
}
