import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { type Copies, type CopyKind, type CopyState, type HomeThings, homesOf } from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import type { CourseRow } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import { namedIn } from '../domain/reader.ts';
import { seatTopic } from '../domain/topics.ts';
import { type CourseContext, type CourseKind, showAbroad } from './course.ts';
import { admitMembers, type Members, type OfGroup } from './elsewhere.ts';

type Parts<Row extends CourseRow, Person extends Member, Change, Shown extends Message> = Pick<
  CourseContext<Row, Person, Change, Shown>,
  'homeNames' | 'peers' | 'people' | 'things'
>;

interface CourseCopies<Row extends CourseRow, Person extends Member, Shown extends Message>
  extends Pick<CopyKind<GenMessage<Shown>>, 'desc' | 'factsOf' | 'asks'> {
  kind: Pick<CourseKind<never, Row, Person, Shown>, 'idOf' | 'name' | 'seatsOf' | 'show' | 'table'>;
  groupOf(message: Shown): OfGroup;
  newsOf(state: CopyState<GenMessage<Shown>>, members: Members): Announcement[] | Promise<Announcement[]>;
  /** As in `Told`. */
  spare: readonly string[];
}

/** Decisions, or plans, of groups of other homes, and what those homes are told of this one's. */
export function createCourseCopies<
  Row extends CourseRow,
  Person extends Member,
  Change,
  Shown extends Message & { record?: unknown },
>(
  parts: Parts<Row, Person, Change, Shown>,
  homeThings: HomeThings,
  { kind, groupOf, newsOf, spare, ...declared }: CourseCopies<Row, Person, Shown>,
): Copies<GenMessage<Shown>> {
  return homeThings.kind<GenMessage<Shown>>(kind.name, {
    ...declared,
    async admit(state) {
      const members = await admitMembers(parts, state, groupOf(state.after.message as Shown));
      if (!('seats' in members)) return members;
      return { seats: members.seats, news: await newsOf(state, members) };
    },
    changed: (tx, { seats }) => tx.wake(...seats.map(({ viewer }) => seatTopic(viewer))),
    async current(id) {
      const found = await parts.things.find(id);
      if (found === null) return null;
      const { row } = found;
      const facts = await parts.people.everywhere.find(namedIn(found));
      const { shown, away } = showAbroad(kind, found, facts, '');
      // A record follows what is settled.
      const final = kind.table.hasEnded(row) && (row.record === null || row.signed_record !== null);
      // No one sees a plan that has not begun, or never did.
      const homes = kind.seatsOf(found).length > 0 ? homesOf(away) : [];
      return { id: kind.idOf(row), message: shown as never, final, homes, spare };
    },
    isKept: (message) => (message as Shown).record !== undefined,
  });
}
