import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { addressOf, isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person, PersonKind, PersonSchema } from '@hearth/proto/identity/v1/resources';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import { type Member, speakersOf } from './member.ts';
import { goneName, goneStarter, type Starter } from './starter.ts';

type Facts = ReadonlyMap<string, PersonFacts>;

/** A reader of decisions and plans, and how people in them appear to that reader. */
export interface Reader {
  /** uuid of the viewer; '' for the state that other homes receive. */
  viewer: string;
  /** uuid of the app they read with; '' without one. */
  app: string;
  /** Whether the reader is remote: sees addresses, and no one under 18. */
  abroad: boolean;
  /** A person (uuid); null if the account is gone, or hidden from the reader. */
  person(id: string): Person | null;
  id(person: string): string;
  name(person: string): string;
  /** The starter as this reader sees it. */
  starter(row: Starter): { id: string; name: string; address: string };
}

/** @param show shows a person as the reader sees them */
export function readerHere(
  { viewer, app }: Pick<Reader, 'viewer' | 'app'>,
  facts: Facts,
  show: (known: PersonFacts) => Person,
): Reader {
  const person = lookUp(facts, show);
  const id = (one: string) => person(one)?.id ?? printId('per', one);
  return {
    ...{ viewer, app, abroad: false, person, id },
    name: (one) => person(one)?.name ?? goneName,
    starter(row) {
      const starter = row.starter_person === null ? null : person(row.starter_person);
      const address = row.starter_minor && starter?.shielded ? starter.address : row.starter_address;
      const gone = row.starter_person !== null && starter === null;
      const words = gone ? goneStarter : { name: row.starter_name, address };
      // Like its address, the id of a child's AI would identify the child.
      const byAi = row.starter_kind === 'ai' && !(row.starter_minor && starter?.shielded !== false);
      return { ...words, id: byAi ? printId('ai', row.starter) : id(row.starter_person ?? row.starter) };
    },
  };
}

export function readerAbroad(viewer: string, facts: Facts): Reader {
  const person = lookUp(facts, shownAbroad);
  return {
    ...{ viewer, app: '', abroad: true, person },
    id: (one) => person(one)?.id ?? '',
    name: (one) => person(one)?.name ?? '',
    starter({ starter_person, starter_name: name, starter_address: address }) {
      const isTold = starter_person === null || person(starter_person) !== null;
      return isTold ? { id: address, name, address } : { id: '', name: '', address: '' };
    },
  };
}

function lookUp(facts: Facts, show: (known: PersonFacts) => Person | null): Reader['person'] {
  // Cached, because a decision names the same few people many times.
  const shown = new Map<string, Person | null>();
  return (id) => {
    const known = facts.get(id);
    const person = shown.get(id) ?? (known === undefined ? null : show(known));
    shown.set(id, person);
    return person;
  };
}

function shownAbroad(facts: PersonFacts): Person | null {
  if (isMinor(facts)) return null;
  const address = addressOf(facts);
  const { name } = facts;
  return create(PersonSchema, {
    ...{ id: address, address, name, kind: PersonKind.PERSON, ageBand: AgeBand.ADULT },
  });
}

/** uuids of everyone a decision or plan names. */
export function namedIn({ row, people }: Whole<CourseRow, Member>): string[] {
  const others = [row.starter_person, row.hidden_from];
  return [
    ...people.flatMap((person) => [person.person, ...speakersOf(person)]),
    ...others.filter((other) => other !== null),
  ];
}
