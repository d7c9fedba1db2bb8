import { printId } from '@hearth/ids';
import { createSigning, digestOf, type Signing, type SigningParts } from '@hearth/receipts';
import { thingTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { type MeetingRow, storeEarlierRecord, storeRecords, unsigned } from '../db/meetings.ts';
import { isHere } from '../domain/party.ts';
import { unsignedOf } from '../domain/record.ts';
import { meetingDue } from './tell-homes.ts';

type MeetingSigningDeps = SigningParts & Pick<Context, 'batches' | 'commit' | 'copies' | 'homeNames'>;

/** Signs a meeting when it is booked, and again when it is moved or cancelled; each record refers to the one before. */
export function createMeetingSigning(parts: MeetingSigningDeps): Signing<MeetingRow> {
  const { batches, commit, copies, database, homeNames } = parts;
  return createSigning<MeetingRow>(parts, {
    kind: 'meeting',
    unsigned,
    idOf: ({ id }) => id,
    find: batches.meeting,
    async draft(row) {
      const { id } = row;
      if (row.signed_record !== null || row.elsewhere !== null) return null;
      const [{ record, body }, ...later] = unsignedOf(homeNames.ownHome, row);
      const guest = isHere(row.guest) ? [row.guest_viewer, row.guest.id] : [];
      return {
        record,
        type: 'meeting',
        subject: printId('mtg', id),
        prev: row.earlier_record === null ? null : digestOf(row.earlier_record),
        body,
        viewers: [...new Set([row.host_viewer, row.host.id, ...guest])],
        async store(json) {
          if (later.length > 0) {
            await database.statement((tx) => storeEarlierRecord(tx, { id, record, json }));
            return row;
          }
          const due = meetingDue(copies, row);
          if (due.length === 0) await batches.sign({ id, record, json });
          else
            await commit(async (tx) => {
              const stored = await storeRecords(tx, [{ id, record, json }]);
              tx.wake(...[...stored].map((id) => thingTopic('meeting', id)));
              tx.announce(...due);
            });
          return { ...row, signed_record: json, revision: row.revision + 1 };
        },
      };
    },
  });
}
