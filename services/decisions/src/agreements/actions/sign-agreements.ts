import { printId } from '@hearth/ids';
import { createSigning, digestOf, type Signing, type SigningParts } from '@hearth/receipts';
import type { Context } from '../context.ts';
import { type AgreementRow, findAgreement, storeRecord, unsigned } from '../db/agreements.ts';
import { agreementChanged, topicsOf } from '../domain/events.ts';
import { readyRecord, settledRecord } from '../domain/record.ts';
import { viewersHere } from '../domain/seats.ts';
import { stateDue } from './tell-homes.ts';

type AgreementSigningDeps = SigningParts & Pick<Context, 'commit' | 'copies' | 'database'>;

/** Signs the record of a ready agreement, and later the second record of a settled one. */
export function createAgreementSigning(parts: AgreementSigningDeps): Signing<AgreementRow> {
  const { commit, copies, database } = parts;
  return createSigning<AgreementRow>(parts, {
    kind: 'agreement',
    unsigned,
    idOf: ({ id }) => id,
    find: (id) => findAgreement(database.db, id),
    async draft(row, by) {
      const first = row.signed_record === null;
      const record = first ? row.record : row.settlement;
      if (record === null || row.signed_settlement !== null) return null;
      const which = first ? 'signed_record' : 'signed_settlement';
      return {
        record,
        type: first ? 'agreement' : 'agreement.settled',
        subject: printId('agr', row.id),
        prev: row.signed_record === null ? null : digestOf(row.signed_record),
        body: first ? readyRecord(row) : settledRecord(row),
        viewers: viewersHere(row),
        async store(json) {
          const after = { ...row, [which]: json, revision: row.revision + 1 };
          await commit(async (tx) => {
            if (!(await storeRecord(tx, row.id, which, json))) return;
            tx.wake(...topicsOf(after));
            const told = first ? ({ ...after, status: 'ready' } as const) : after;
            tx.announce(agreementChanged(told, first ? 'ready' : 'settled', by), ...stateDue(copies, after));
          });
          return after;
        },
      };
    },
  });
}
