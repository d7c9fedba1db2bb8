import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Member } from '../domain/member.ts';

interface Ended<Row extends CourseRow, Person extends Member> extends Pick<Host, 'database'> {
  things: {
    act(
      id: string,
      choose: (whole: Whole<Row, Person>) => { act: { kind: 'cancel'; why: 'group_archived' } } | null,
    ): Promise<unknown>;
  };
}

/** Cancels open things of archived groups. Idempotent, also after the group was restored. */
export const endsOfGroups = <Row extends CourseRow, Person extends Member>(
  durable: string,
  { database, things }: Ended<Row, Person>,
  table: ThingTable<Row, Person>,
) => ({
  durable,
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    const archived = received.flatMap(({ event: { at, data } }) =>
      data.case === 'groupArchived' && data.value.group && at
        ? { group: data.value.group.id, at: timestampDate(at) }
        : [],
    );
    for (const id of await table.findOpenOfGroups(database.db, archived))
      await things.act(id, ({ row }) =>
        table.hasEnded(row) ? null : { act: { kind: 'cancel', why: 'group_archived' } },
      );
  },
});
