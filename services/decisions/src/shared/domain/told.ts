import type { Whole } from '../db/thing-rows.ts';
import { type Member, speakersOf } from './member.ts';
import type { Reader } from './reader.ts';

/** A decision or a plan as far as other homes are told of it. */
export interface Abroad<Row, Person> {
  whole: Whole<Row, Person>;
  /** Whether its record, which names everyone, is told. */
  record: boolean;
  /** Those of other homes who speak for its people. */
  away: { home: string; address: string }[];
}

/** Leaves out everyone of whom the reader is not told, and gathers the homes of its people. */
export function abroad<Row extends { hidden_from: string | null }, Person extends Member>(
  { row, people }: Whole<Row, Person>,
  reader: Reader,
): Abroad<Row, Person> {
  const told = people.filter(({ person }) => reader.person(person) !== null);
  const away = told.flatMap((one) => {
    const { home, person } = one;
    if (home === null || person === row.hidden_from) return [];
    return speakersOf(one).map((speaker) => ({ home, address: reader.id(speaker) }));
  });
  const isHidden = row.hidden_from !== null && reader.person(row.hidden_from) !== null;
  return {
    whole: { row: { ...row, hidden_from: isHidden ? row.hidden_from : null }, people: told },
    record: told.length === people.length,
    away,
  };
}
