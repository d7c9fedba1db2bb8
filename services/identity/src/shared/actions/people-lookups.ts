import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseAddress, printAddress } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { enumNames } from '@hearth/enum-names';
import { parseId } from '@hearth/ids';
import { isMinor, seesWhole, showPerson, unshield, viewerOf } from '@hearth/people';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand, AgeBandSchema, type Person } from '@hearth/proto/identity/v1/resources';
import { type Caller, personOf } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { findPeopleByAddresses, findPeopleByIds, type PersonRow } from '../db/people.ts';
import { standingOf } from '../domain/standing.ts';
import type { Ages } from './ages.ts';

/** The people of this home: current facts, resolution of references, and how callers see them. */
export interface PeopleLookups {
  /** Finds a person by uuid; concurrent lookups share one statement. */
  find(id: string): Promise<PersonFacts | null>;
  /** Finds a person by handle, current or old but still working. */
  byHandle(handle: string): Promise<PersonFacts | null>;
  /**
   * Resolves `me`, a per_ or shp_ id, or an address. Null if there is no such person, or if the caller names
   * a minor by an id other than the one they were shown.
   */
  resolve(reference: string, caller: Caller): Promise<PersonFacts | null>;
  toFacts(row: PersonRow): PersonFacts;
  /**
   * The person as the caller may see them. Their language and a pending deletion are visible to the person, their
   * guardians and the app that holds them.
   */
  show(facts: PersonFacts, caller: Caller): Person;
}

export interface Deps extends Pick<Host, 'clock' | 'database' | 'homeNames' | 'sealer'> {
  ages: Ages;
}

const ageBands = enumNames(AgeBandSchema);
/** The most that FindPeople accepts. */
const maxAsked = 500;

export function createPeopleLookups(deps: Deps): PeopleLookups {
  const { database, clock, sealer, ages, homeNames } = deps;
  const toFacts = (row: PersonRow) => factsOf(row, ages);

  const ids = createCoalescer<string, PersonFacts | null>({
    name: 'batch of people by id',
    maxBatch: maxAsked,
    async run(asked) {
      const rows = await findPeopleByIds(database.db, [...new Set(asked)]);
      const byId = new Map(rows.map((row) => [row.id, toFacts(row)]));
      return asked.map((id) => byId.get(id) ?? null);
    },
  });
  const addresses = createCoalescer<string, PersonFacts | null>({
    name: 'batch of people by address',
    maxBatch: maxAsked,
    async run(asked) {
      const rows = await findPeopleByAddresses(database.db, [...new Set(asked)], nowDate(clock));
      const byAddress = new Map(rows.map((row) => [row.asked, toFacts(row)]));
      return asked.map((address) => byAddress.get(address) ?? null);
    },
  });

  async function named(reference: string): Promise<PersonFacts | null> {
    const id = parseId('per', reference);
    if (id !== null) return await ids.add(id);
    const address = parseAddress(reference, homeNames);
    if (address?.kind !== 'person' || address.home !== undefined) return null;
    return await addresses.add(printAddress(address));
  }

  return {
    find: (id) => ids.add(id),
    byHandle: (handle) => addresses.add(`@${handle}`),
    async resolve(reference, caller) {
      if (reference === 'me') {
        const own = personOf(caller);
        return own === null ? null : await ids.add(own);
      }
      const shielded = unshield(sealer, viewerOf(caller), reference);
      if (shielded !== null) {
        const facts = await ids.add(shielded);
        return facts !== null && isMinor(facts) ? facts : null;
      }
      const facts = await named(reference);
      return facts !== null && seesWhole(facts, caller) ? facts : null;
    },
    toFacts,
    show(facts, caller) {
      const person = showPerson(sealer, facts, caller);
      const { deletesAt, language } = facts;
      if (standingOf(caller, facts) === null) return person;
      return {
        ...person,
        ...(language !== '' && { language }),
        ...(deletesAt !== undefined && { deletesAt }),
      };
    },
  };
}

/** Guardianships end at 18, even if the nightly job is late. */
function factsOf(row: PersonRow, ages: Ages): PersonFacts {
  const ageBand = ageBands.valueOf(ages.bandOf(row));
  const minor = ageBand !== AgeBand.ADULT;
  return create(PersonFactsSchema, {
    id: row.id,
    handle: row.handle,
    name: row.name,
    ageBand,
    guest: row.guest,
    guardians: minor ? row.guardians : [],
    aiShare: minor && row.aiShare,
    app: row.app ?? '',
    timeZone: row.timeZone,
    language: row.language,
    consentAge: ages.consentAge(row.locale),
    email: row.email ?? '',
    ...(row.deletesAt !== null && { deletesAt: timestampFromDate(row.deletesAt) }),
    ...(row.suspendedUntil !== null && { suspendedUntil: timestampFromDate(row.suspendedUntil) }),
  });
}
