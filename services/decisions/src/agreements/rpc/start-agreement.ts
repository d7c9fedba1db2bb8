import { timestampDate } from '@bufbuild/protobuf/wkt';
import { readId } from '@hearth/addresses';
import { day } from '@hearth/clock';
import { badField } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { parseId, printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { AgreementsService, type StartAgreementRequest } from '@hearth/proto/decisions/v1/agreements';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import { digest } from '@hearth/signing';
import { asOwner, requireOwners } from '../../shared/actions/as-owner.ts';
import { doErrands } from '../actions/errands.ts';
import { findVisible } from '../actions/find-visible.ts';
import { readSides } from '../actions/read-sides.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import { stateDue } from '../actions/tell-homes.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, findSeen, insertAgreement } from '../db/agreements.ts';
import { newAgreement, ownedOf } from '../domain/agreement.ts';
import { agreementChanged } from '../domain/events.ts';
import { itemChanges, itemNews } from '../domain/items.ts';
import { followsFrom } from '../domain/machine.ts';
import { seatsOf } from '../domain/seats.ts';

/** Proposes terms to other AIs. If a side's rules decline politely, the agreement is declined at once. */
export const startAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.startAgreement> =>
  async (request, call) =>
    await context.idempotency.once(call, AgreementsService.method.startAgreement, request, {
      make: (claim) =>
        asOwner(context, call.caller, (caller) => make(context, request, { ...call, caller }, claim)),
      async repeat({ id }) {
        const row = await findVisible(context, printId('agr', id), call.caller);
        return showAgreement(context, row, call.caller);
      },
    });

async function make(
  context: Context,
  request: StartAgreementRequest,
  call: Call,
  claim: Claim<{ id: string }>,
) {
  const { caller } = call;
  const row = await read(context, request, call);
  await context.commit(async (tx) => {
    await claim(tx, { id: row.id });
    await requireOwners(tx, row.sides.flatMap(ownedOf), caller.id);
    await insertAgreement(tx, row, seatsOf(row));
    const news =
      row.status === 'open'
        ? agreementChanged(row, 'started', caller)
        : agreementChanged(row, 'declined', undefined);
    tx.announce(...itemNews(null, row), news, ...stateDue(context.copies, row));
  });
  await context.items.note(itemChanges(null, row));
  return showAgreement(context, await doErrands(context, row), caller);
}

async function read(context: Context, request: StartAgreementRequest, call: Call): Promise<AgreementRow> {
  const { clock, ids } = context;
  const now = clock.now();
  const signBy = readSignBy(context, request, now);
  const fulfilBy = request.dueAt === undefined ? null : timestampDate(request.dueAt);
  if (fulfilBy !== null && fulfilBy.getTime() <= now) throw badField('due_at', 'must be in the future');
  const replaced = await readReplaced(context, request.replaces, call.caller);
  const { sides, declined } = await readSides(context, request.with, call);
  const needsOwners = request.needsOwners ?? false;
  const at = new Date(now);
  const row = {
    ...newAgreement,
    id: ids.uuid(),
    title: request.title,
    terms: request.terms,
    terms_digest: digest(Buffer.from(request.terms)),
    needs_owners: needsOwners,
    ...replaced,
    status: declined ? 'declined' : 'open',
    why: declined ? 'declined' : null,
    sides: sides.map((side, index) => ({
      ...side,
      signedAt: index === 0 ? now : null,
      // A remote AI's owner is asked by their own home.
      approval: needsOwners && (side.person !== null || side.home !== undefined) ? ids.uuid() : null,
    })),
    revision: 1,
    started_at: at,
    sign_by: signBy,
    fulfil_by: fulfilBy,
    settled_at: declined ? at : null,
  } satisfies Omit<AgreementRow, keyof ReturnType<typeof followsFrom>>;
  return { ...row, ...followsFrom(row) };
}

/** @throws bad_field if the time is in the past or too far ahead */
function readSignBy({ limits }: Context, { signBy }: StartAgreementRequest, now: number): Date {
  const most = sizeOf(limits, 'agreement_sign_days');
  const usual = Math.min(sizeOf(limits, 'usual_agreement_sign_days'), most);
  if (signBy === undefined) return new Date(now + usual * day);
  const at = timestampDate(signBy);
  if (at.getTime() <= now) throw badField('sign_by', 'must be in the future');
  if (at.getTime() > now + most * day) throw badField('sign_by', `must be at most ${most} days ahead`);
  return at;
}

/** The replaced agreement, local or remote, which the caller must see. @throws bad_field */
async function readReplaced(
  { copies, database, homeNames }: Pick<Context, 'copies' | 'database' | 'homeNames'>,
  given: string | undefined,
  { id: viewer }: Caller,
): Promise<Pick<AgreementRow, 'replaces' | 'replaces_elsewhere'>> {
  const none = { replaces: null, replaces_elsewhere: null };
  if (given === undefined) return none;
  const read = readId(given, homeNames);
  if ('reference' in read) {
    if (await copies.find(read.reference, [viewer])) return { ...none, replaces_elsewhere: read.reference };
  } else {
    const id = parseId('agr', read.id);
    if (id !== null && (await findSeen(database.db, id, viewer)) !== null) return { ...none, replaces: id };
  }
  throw badField(
    'replaces',
    `must be the agr_ id of an agreement of yours, or r:<home>:<id> of one at another home; got ${given}`,
  );
}
