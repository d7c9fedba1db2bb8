import { printId } from '@hearth/ids';
import { createSigning, digestOf, type Signing, type SigningParts } from '@hearth/receipts';
import { thingTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { type MeetingRow, storeRecords, unsigned } from '../db/meetings.ts';
import { isHere } from '../domain/party.ts';
import { recordBody } from '../domain/record.ts';
import { meetingDue } from './tell-homes.ts';

type Parts = SigningParts & Pick<Context, 'batches' | 'commit' | 'copies' | 'homeNames'>;

/** Signs meetings as they stand: when they are booked, and again when they are moved or called off. */
export function createMeetingSigning(parts: Parts): Signing<MeetingRow> {
  const { batches, commit, copies, homeNames } = parts;
  return createSigning<MeetingRow>(parts, {
    kind: 'meeting',
    unsigned,
    idOf: ({ id }) => id,
    find: batches.meeting,
    async draft(row) {
      const { id, record } = row;
      if (row.signed_record !== null || row.elsewhere !== null) return null;
      const guest = isHere(row.guest) ? [row.guest_viewer, row.guest.id] : [];
      return {
        record,
        type: 'meeting',
        subject: printId('mtg', id),
        prev: row.earlier_record === null ? null : digestOf(row.earlier_record),
        body: recordBody(homeNames.ownHome, row),
        viewers: [...new Set([row.host_viewer, row.host.id, ...guest])],
        async store(json) {
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
