import { addressOf, isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Whole } from '../db/thing-rows.ts';
import { type Member, speakersOf } from './member.ts';

/** A decision or a plan as far as other homes are told of it. */
export interface Abroad<Row, Person> {
  whole: Whole<Row, Person>;
  /** Whether others are told of a person (uuid): of no one under 18, and of no one who is gone. */
  isTold(person: string): boolean;
  /** The address of a person; '' of one who is left out. */
  addressOf(person: string): string;
  /** Whether its record, which names everyone, is told. */
  record: boolean;
  /** Those of other homes who speak for its people. */
  away: { home: string; address: string }[];
}

/**
 * Leaves out everyone under 18, and whoever is gone, and gathers the homes of its people.
 *
 * @param facts of its people, by their uuids
 */
export function abroad<Row extends { hidden_from: string | null }, Person extends Member>(
  { row, people }: Whole<Row, Person>,
  facts: ReadonlyMap<string, PersonFacts>,
): Abroad<Row, Person> {
  const isTold = (person: string) => {
    const known = facts.get(person);
    return known !== undefined && !isMinor(known);
  };
  const address = (person: string) => (isTold(person) ? addressOf(facts.get(person)!) : '');
  const told = people.filter(({ person }) => isTold(person));
  const away = told.flatMap((one) => {
    const { home, person } = one;
    if (home === null || person === row.hidden_from) return [];
    return speakersOf(one).map((speaker) => ({ home, address: address(speaker) }));
  });
  const hidden = row.hidden_from !== null && isTold(row.hidden_from) ? row.hidden_from : null;
  return {
    whole: { row: { ...row, hidden_from: hidden }, people: told },
    isTold,
    addressOf: address,
    record: told.length === people.length,
    away,
  };
}
