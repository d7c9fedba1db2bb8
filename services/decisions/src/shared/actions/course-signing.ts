import type { Message } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { snapshotOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createSigning, type Signing, type SigningParts } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import { viewersHere } from '../domain/seated.ts';
import type { CourseKind } from './course.ts';
import type { Things } from './create-things.ts';
import type { Deps } from './deps.ts';

/** The fields that the outcome events of decisions and plans share. */
interface OutcomeAudience {
  record: string;
  people: ReturnType<typeof snapshotOf>[];
  apps: string[];
}

interface SignedCourse<Row extends CourseRow, Person extends Member> {
  kind: Pick<CourseKind<never, Row, Person, Message>, 'idOf' | 'name' | 'seatsOf' | 'table'>;
  type: string;
  /** uuids of the people whose facts are needed. */
  namedIn(whole: Whole<Row, Person>): string[];
  bodyOf(whole: Whole<Row, Person>, facts: ReadonlyMap<string, PersonFacts>): Record<string, unknown>;
  newsOf(
    whole: Whole<Row, Person>,
    told: OutcomeAudience,
    facts: ReadonlyMap<string, PersonFacts>,
    by: Caller | undefined,
  ): Announcement;
}

/** Signs agreed decisions or settled plans, and announces the outcome with the signature. */
export function createCourseSigning<Row extends CourseRow, Person extends Member, Change>(
  parts: SigningParts & Pick<Deps, 'people'> & { things: Things<Row, Person, Change> },
  { kind, type, namedIn, bodyOf, newsOf }: SignedCourse<Row, Person>,
): Signing<Whole<Row, Person>> {
  const { people, things } = parts;
  return createSigning<Whole<Row, Person>>(parts, {
    kind: kind.name,
    unsigned: kind.table.unsigned,
    idOf: ({ row }) => kind.idOf(row),
    find: things.find,
    async draft(settled, by) {
      const { row } = settled;
      const { record } = row;
      // Cancelled ones have no record.
      if (record === null || row.signed_record !== null) return null;
      const facts = await people.everywhere.find(namedIn(settled));
      return {
        record,
        type,
        subject: kind.idOf(row),
        body: bodyOf(settled, facts),
        viewers: viewersHere(settled.people, kind.seatsOf(settled)),
        async store(json) {
          const after = { ...settled, row: { ...row, signed_record: json, revision: row.revision + 1 } };
          const asked = settled.people
            .filter((person) => person.asked)
            .map(({ person }) => facts.get(person));
          const apps = [row.group_app, row.starter_app, ...[...facts.values()].map(({ app }) => app)];
          const told = {
            record: printId('rec', record),
            people: asked.filter((person) => person !== undefined).map(snapshotOf),
            apps: [...new Set(apps.filter((app): app is string => app !== null && app !== ''))],
          };
          await things.sign(after, json, newsOf(after, told, facts, by));
          return after;
        },
      };
    },
  });
}
