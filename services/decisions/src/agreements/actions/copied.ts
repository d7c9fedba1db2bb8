import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import type { Copy, CopyChange, SeenCopy } from '@hearth/home-acts';
import {
  type AgreementSchema,
  type AgreementSide,
  AgreementStatus,
  type Agreement as Shown,
} from '@hearth/proto/decisions/v1/agreements';
import type { Caller } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, findAgreements } from '../db/agreements.ts';
import {
  type AgreementParty,
  errandsOf,
  isDisputed,
  newAgreement,
  type Status,
  type Why,
} from '../domain/agreement.ts';
import type { CopiedAgreement } from '../domain/copy.ts';
import { outcomes, ownerStatuses, statuses } from '../domain/enum-names.ts';
import { approvalsOf } from '../domain/machine.ts';
import { asHere, isMadeUpFor } from '../domain/own-side.ts';
import { seatsOf } from '../domain/seats.ts';
import { seenBy } from './show-agreements.ts';

type AgreementCopy = Copy<typeof AgreementSchema>;
export type Seen = SeenCopy<typeof AgreementSchema>;

/** The remote agreement at this reference, as the caller alone may see it: an AI sees less than its owner. */
export async function findCopy({ copies }: Pick<Context, 'copies'>, reference: string, caller: Caller) {
  return await findElsewhere(copies, reference, caller, caller.id);
}

/** A remote agreement as the caller may see it. */
export function showCopy(copy: Seen, caller: Caller): Shown {
  const { message, pending } = copy;
  const { sides } = copied(copy);
  const shown = message.sides.map((side, place) => asHere(side, sides[place] as AgreementParty));
  const here = { sides: shown, sideGone: shown.some(({ gone }) => gone), disputed: isDisputed({ sides }) };
  const wordsDisputed = sides.some(({ disputed }) => disputed === true);
  const isUnsaid = wordsDisputed && message.status === AgreementStatus.DECLINED;
  const isMadeUp = sides.some((side, place) => isMadeUpFor(side, place, message.record));
  const believed = {
    ...message,
    ...here,
    ...(isUnsaid && { reason: undefined }),
    ...(isMadeUp && { record: undefined, settlement: undefined }),
  };
  return {
    ...seenBy(believed as Shown, sides, caller),
    ...(wordsDisputed && { wordsDisputed }),
    ...(pending && { pending }),
  };
}

/**
 * Converts the copy of a remote agreement to a row: the remote home's state plus this home's notes on its own
 * sides.
 */
export function copied({
  id,
  message,
  notes,
  reference,
  started_at,
}: Pick<AgreementCopy, 'id' | 'message' | 'notes' | 'reference' | 'started_at'>): CopiedAgreement {
  const kept = notes['sides'] as unknown as readonly AgreementParty[];
  const dateOf = (at: Parameters<typeof timestampDate>[0] | undefined) =>
    at === undefined ? null : timestampDate(at);
  return {
    ...newAgreement,
    ...{ id, reference, started_at, title: message.title, terms: message.terms },
    ...{ terms_digest: message.termsDigest, needs_owners: message.needsOwners },
    status: statuses.nameOf(message.status) as Status,
    why: (message.why ?? null) as Why | null,
    reason: message.reason ?? null,
    sides: message.sides.map((side, index) => sideOf(side, kept[index] as AgreementParty)),
    revision: message.revision,
    sign_by: timestampDate(message.signBy!),
    ...{ fulfil_by: dateOf(message.dueAt), ready_at: dateOf(message.readyAt) },
    ...{ settled_at: dateOf(message.settledAt), due_at: null, errands: false, approvals: [] },
  };
}

/** The local and remote agreements with these uuids, in that order, regardless of who may see them. */
export async function findBoth(
  { copies, database }: Pick<Context, 'copies' | 'database'>,
  ids: readonly string[],
): Promise<AgreementRow[]> {
  const [own, others] = await Promise.all([findAgreements(database.db, ids), copies.byIds(ids)]);
  const found = new Map([...own, ...others.map(copied)].map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function sideOf(shown: AgreementSide, kept: AgreementParty): AgreementParty {
  const settled = (outcomes.nameOf(shown.settled ?? 0) || null) as AgreementParty['settled'];
  // Once given, an outcome stays, even if a later state of the remote home leaves it out.
  const isKept = kept.home === undefined && settled === null;
  return {
    ...kept,
    ...{ address: shown.address, name: shown.name, note: isKept ? kept.note : (shown.note ?? '') },
    status: (ownerStatuses.nameOf(shown.ownerStatus) || 'unclaimed') as AgreementParty['status'],
    signedAt: shown.signedAt === undefined ? signedBefore(kept) : timestampMs(shown.signedAt),
    settled: isKept ? kept.settled : settled,
    // This home knows itself whether a local side is gone.
    gone: kept.gone || (kept.home !== undefined && shown.gone),
  };
}

const signedBefore = ({ home, signedAt }: AgreementParty) => (home === undefined ? signedAt : null);

/** The fields stored about the copy: its notes, when the next errand is due, and its seats. */
export function keptOf(row: CopiedAgreement): CopyChange {
  const errands = errandsOf(row).map(({ at }) => at);
  const notes = {
    sides: row.sides as unknown as JsonObject[],
    approvals: approvalsOf(row.sides),
    ...(errands.length > 0 && { due: Math.min(...errands) }),
  };
  return { notes, seats: seatsOf(row) };
}
